#include "engine/store/atomic_file.h"
#include "engine/store/safetensors.h"
#include "engine/values/json.h"
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

namespace halfstep::store {
namespace {

std::string_view bytesOf(const SafetensorsArray& array) {
    return std::visit(
        [](const auto& values) {
            return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
        },
        array.values);
}

} // namespace

void writeSafetensors(const std::filesystem::path& file, std::span<const SafetensorsArray> arrays) {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    std::size_t offset = 0;
    for (const SafetensorsArray& array : arrays) {
        const std::size_t end = offset + bytesOf(array).size();
        header[array.name] = {{"dtype", std::holds_alternative<std::vector<float>>(array.values) ? "F32" : "I64"},
                              {"shape", array.shape},
                              {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text = values::jsonText(header, -1);
    text.resize((text.size() + 7) / 8 * 8, ' '); // so that the arrays begin at a multiple of 8
    const std::uint64_t length = text.size();
    std::array<char, 8> lengthBytes{};
    std::memcpy(lengthBytes.data(), &length, lengthBytes.size());

    AtomicFile out(file);
    out.write({lengthBytes.data(), lengthBytes.size()});
    out.write(text);
    for (const SafetensorsArray& array : arrays) {
        out.write(bytesOf(array));
    }
    out.commit();
}

} // namespace halfstep::store
