#pragma once
#include <string>
#include <string_view>

namespace halfstep::report {

/// One line of UTF-8: control characters are spaces, bytes that are not UTF-8 are U+FFFD.
std::string plainLine(std::string_view text);

} // namespace halfstep::report
