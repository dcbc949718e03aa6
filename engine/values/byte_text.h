#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace halfstep::values {

/// "4GiB", "500 MB", "1.5GiB", "1048576": KiB, MiB, GiB, TiB are powers of 1024; kB, MB, GB, TB of 1000. Nothing if
/// it is not so, or below 1 byte.
std::optional<std::uint64_t> bytesIn(std::string_view text);

/// A text that bytesIn() reads as exactly so many: "4 GiB", "300 MiB", "1000".
std::string textOfBytes(std::uint64_t bytes);

} // namespace halfstep::values
