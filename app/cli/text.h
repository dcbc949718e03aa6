#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace halfstep::app {

/// "512 bytes", "1.5 GiB"
std::string bytesText(std::uint64_t bytes);
/// Whole seconds as a clock shows them: "45s", "2:05", "1:02:03".
std::string durationText(std::int64_t seconds);
/// "1980", "45.3", "9.84": three or four figures.
std::string millisecondsText(double milliseconds);
/// "0.8000" or, without a value, "-".
std::string fixedText(const std::optional<double>& value);
/// Of a share: "63.4 %", "<0.01 %" where it is not 0 but less.
std::string percentText(double share);
/// Characters as a terminal shows them one column each: bytes that continue a UTF-8 character do not count.
std::size_t columnsOf(std::string_view text);
/// Cut after `columns` characters, with "…" in place of the last where something was cut.
std::string shortened(std::string_view text, std::size_t columns);

} // namespace halfstep::app
