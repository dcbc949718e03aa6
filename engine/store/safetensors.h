#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// The safetensors format: 8 bytes with the header's length (little endian), the header as JSON ({"name": {"dtype",
/// "shape", "data_offsets"}}), then the bytes of the arrays, row-major, little endian.
namespace halfstep::store {

/// One array of a file. F64, F16 and BF16 become float, I32 becomes int64.
struct SafetensorsArray {
    std::string name;
    std::vector<std::int64_t> shape; ///< empty for a single number
    std::variant<std::vector<float>, std::vector<std::int64_t>> values;
};

/// Reads every array, in the order of the file's header. Throws DataError with the file's name, and the array's, if
/// anything does not fit: the header's length against the file's, a dtype that is not F64, F32, F16, BF16, I64 or
/// I32, offsets outside the file, a size that is not the shape's, a name that comes twice.
std::vector<SafetensorsArray> readSafetensors(const std::filesystem::path& file);

/// Writes F32 and I64 arrays; the file is whole or untouched. Throws StoreError with the operating system's reason.
void writeSafetensors(const std::filesystem::path& file, std::span<const SafetensorsArray> arrays);

} // namespace halfstep::store
