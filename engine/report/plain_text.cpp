#include "engine/report/plain_text.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace halfstep::report {

std::string plainLine(std::string_view text) {
    using Json = nlohmann::json;
    const std::string valid = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    auto line = Json::parse(valid).get<std::string>();
    const auto isControl = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7F;
    };
    std::ranges::replace_if(line, isControl, ' ');
    return line;
}

} // namespace halfstep::report
