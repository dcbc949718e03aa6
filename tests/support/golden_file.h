#pragma once
#include "tests/support/convnet_case.h"
#include <filesystem>
#include <map>
#include <string>

namespace halfstep::support {

/// A file of tests/golden: safetensors of float32 or float64, with texts about where it comes from.
struct GoldenFile {
    Arrays arrays;
    std::map<std::string, std::string> about; ///< "seed", "batch", "size", "torch", ...

    std::int64_t number(const std::string& name) const { return std::stoll(about.at(name)); }
};

/// Throws std::runtime_error naming the file if it cannot be read.
GoldenFile readGoldenFile(const std::filesystem::path& path);

/// The elements that a golden file keeps of a large array: index 0, stride, 2 stride, ... The stride is prime and
/// larger than 11, so that every row, column, channel and filter is among them.
Array everyNth(const Array& array, std::int64_t stride);

} // namespace halfstep::support
