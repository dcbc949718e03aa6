#include "engine/values/number_text.h"
#include <array>
#include <charconv>
#include <cmath>

namespace halfstep::values {

std::string numberText(double value) {
    if (std::isnan(value)) {
        return "nan"; // to_chars would write "-nan" for half of them
    }
    std::array<char, 32> text{}; // the longest shortest text of a double has 24 characters
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

} // namespace halfstep::values
