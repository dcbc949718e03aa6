#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace halfstep::data {

/// The whole file. Throws DataError with the reason alone ("Permission denied"), for the caller to name the file.
std::vector<std::uint8_t> readFile(const std::filesystem::path& path);

} // namespace halfstep::data
