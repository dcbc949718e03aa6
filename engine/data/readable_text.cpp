#include "engine/data/readable_text.h"
#include <fmt/format.h>

namespace halfstep::data {
namespace {

bool continues(std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U;
}

/// Length of the UTF-8 character that starts at `at`; 0 if none does (also for overlong forms and surrogates).
std::size_t characterLength(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const auto second = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0U;
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xc2 && first <= 0xdf && continues(text, at + 1)) {
        return 2;
    }
    if (first >= 0xe0 && first <= 0xef && continues(text, at + 1) && continues(text, at + 2)) {
        const bool overlong = first == 0xe0 && second < 0xa0;
        const bool surrogate = first == 0xed && second >= 0xa0;
        return overlong || surrogate ? 0 : 3;
    }
    if (first >= 0xf0 && first <= 0xf4 && continues(text, at + 1) && continues(text, at + 2) &&
        continues(text, at + 3)) {
        const bool outside = (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
        return outside ? 0 : 4;
    }
    return 0;
}

} // namespace

std::string readableText(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = characterLength(bytes, at);
        if (length == 0) {
            text += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(bytes[at])));
            ++at;
        } else {
            text += bytes.substr(at, length);
            at += length;
        }
    }
    return text;
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
    std::string digits = std::to_string(count);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    }
    return fmt::format("{} {}", digits, count == 1 ? one : many);
}

std::string bytesText(std::int64_t bytes) {
    const auto value = static_cast<double>(bytes);
    if (bytes >= 1'000'000'000) {
        return fmt::format("{:.1f} GB", value / 1e9);
    }
    if (bytes >= 1'000'000) {
        return fmt::format("{:.0f} MB", value / 1e6);
    }
    return fmt::format("{} bytes", bytes);
}

} // namespace halfstep::data
