#include "engine/store/safetensors.h"
#include "engine/tensor/error.h"
#include "engine/tensor/half.h"
#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

namespace halfstep::store {
namespace {
using Json = nlohmann::ordered_json;
static_assert(std::endian::native == std::endian::little, "the format is little endian");

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kMostHeaderBytes = 100'000'000; // as the format's own library allows

struct ElementType {
    std::string_view name;
    std::uint64_t bytes;
};
constexpr std::array kElementTypes{ElementType{"F32", 4},  ElementType{"F64", 8}, ElementType{"F16", 2},
                                   ElementType{"BF16", 2}, ElementType{"I64", 8}, ElementType{"I32", 4}};

struct Entry {
    std::string name;
    ElementType type;
    std::vector<std::int64_t> shape;
    std::uint64_t count = 1;
    std::uint64_t begin = 0; ///< in the file
};

class Reader {
public:
    explicit Reader(const std::filesystem::path& file) : m_file(file), m_stream(file, std::ios::binary) {
        std::error_code error;
        const bool regular = std::filesystem::is_regular_file(file, error);
        m_size = regular ? std::filesystem::file_size(file, error) : 0;
        if (!m_stream || !regular || error) {
            fail("it cannot be opened; check that the file exists and may be read");
        }
    }

    std::vector<SafetensorsArray> read() {
        std::vector<SafetensorsArray> arrays;
        for (const Entry& entry : entries()) {
            arrays.push_back({entry.name, entry.shape, valuesOf(entry)});
        }
        return arrays;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw DataError(fmt::format("The safetensors file \"{}\" cannot be used: {}.", m_file.string(), what));
    }

    template <typename T>
    std::vector<T> bytesAt(std::uint64_t offset, std::uint64_t count) {
        std::vector<T> buffer(count);
        m_stream.seekg(static_cast<std::streamoff>(offset));
        m_stream.read(reinterpret_cast<char*>(buffer.data()), static_cast<std::streamsize>(count * sizeof(T)));
        if (!m_stream) {
            fail(fmt::format("{} bytes at {} cannot be read", count * sizeof(T), offset));
        }
        return buffer;
    }

    std::vector<Entry> entries() {
        if (m_size < kLengthBytes) {
            fail(fmt::format("it has {} bytes, too few for a header", m_size));
        }
        const std::uint64_t headerBytes = bytesAt<std::uint64_t>(0, 1)[0];
        if (headerBytes > m_size - kLengthBytes || headerBytes > kMostHeaderBytes) {
            fail(fmt::format("it says that its header has {} bytes, but the file has {}", headerBytes, m_size));
        }
        const Json header = parsed(bytesAt<char>(kLengthBytes, headerBytes));
        std::vector<Entry> found;
        for (const auto& item : header.items()) {
            if (item.key() != "__metadata__") {
                found.push_back(entryFrom(item.key(), item.value(), kLengthBytes + headerBytes));
            }
        }
        return found;
    }

    Json parsed(const std::vector<char>& text) const {
        std::set<std::string> names;
        std::optional<std::string> twice;
        const auto watchNames = [&](int depth, Json::parse_event_t event, Json& value) {
            if (depth == 1 && event == Json::parse_event_t::key && !names.insert(value.get<std::string>()).second) {
                twice = value.get<std::string>();
            }
            return true;
        };
        Json header = Json::parse(text, watchNames, false);
        if (!header.is_object()) {
            fail("its header is not a JSON object");
        }
        if (twice) {
            fail(fmt::format("the name \"{}\" comes twice", *twice));
        }
        return header;
    }

    Entry entryFrom(const std::string& name, const Json& json, std::uint64_t dataBegin) const {
        const auto isList = [&](const char* key) {
            return json.contains(key) && json[key].is_array() &&
                   std::ranges::all_of(json[key], [](const Json& v) { return v.is_number_unsigned(); });
        };
        if (!json.is_object() || !json.contains("dtype") || !json["dtype"].is_string() || !isList("shape") ||
            !isList("data_offsets") || json["data_offsets"].size() != 2) {
            fail(fmt::format("the header of \"{}\" lacks a dtype, a shape or two data_offsets", name));
        }
        Entry entry{.name = name, .type = elementType(name, json["dtype"].get<std::string>()), .shape = {}};
        for (const Json& size : json["shape"]) {
            const std::uint64_t length = size.get<std::uint64_t>();
            if (length > m_size || (length != 0 && entry.count > m_size / length)) { // the product never overflows
                fail(fmt::format("the shape of \"{}\" is larger than the file", name));
            }
            entry.count *= length;
            entry.shape.push_back(static_cast<std::int64_t>(length));
        }
        const auto begin = json["data_offsets"][0].get<std::uint64_t>();
        const auto end = json["data_offsets"][1].get<std::uint64_t>();
        if (begin > end || end > m_size - dataBegin) {
            fail(fmt::format("\"{}\" lies at {} to {}, outside the {} bytes of data", name, begin, end,
                             m_size - dataBegin));
        }
        if (end - begin != entry.count * entry.type.bytes) {
            fail(fmt::format("\"{}\" has {} bytes, but its shape and dtype {} need {}", name, end - begin,
                             entry.type.name, entry.count * entry.type.bytes));
        }
        entry.begin = dataBegin + begin;
        return entry;
    }

    ElementType elementType(const std::string& name, const std::string& dtype) const {
        for (const ElementType& type : kElementTypes) {
            if (type.name == dtype) {
                return type;
            }
        }
        fail(fmt::format("\"{}\" has the dtype \"{}\"; F32, F64, F16, BF16, I64 and I32 can be read", name, dtype));
    }

    template <typename To, typename From, typename Convert>
    std::vector<To> converted(const Entry& entry, Convert convert) {
        const std::vector<From> stored = bytesAt<From>(entry.begin, entry.count);
        std::vector<To> result(stored.size());
        std::ranges::transform(stored, result.begin(), convert);
        return result;
    }

    std::variant<std::vector<float>, std::vector<std::int64_t>> valuesOf(const Entry& entry) {
        if (entry.type.name == "F32") {
            return bytesAt<float>(entry.begin, entry.count);
        }
        if (entry.type.name == "F64") {
            return converted<float, double>(entry, [](double value) { return static_cast<float>(value); });
        }
        if (entry.type.name == "F16") {
            return converted<float, std::uint16_t>(entry, tensor::floatFromHalf);
        }
        if (entry.type.name == "BF16") {
            return converted<float, std::uint16_t>(entry, tensor::floatFromBfloat);
        }
        if (entry.type.name == "I32") {
            return converted<std::int64_t, std::int32_t>(entry,
                                                         [](std::int32_t value) { return std::int64_t{value}; });
        }
        return bytesAt<std::int64_t>(entry.begin, entry.count);
    }

    std::filesystem::path m_file;
    std::ifstream m_stream;
    std::uint64_t m_size = 0;
};

} // namespace

std::vector<SafetensorsArray> readSafetensors(const std::filesystem::path& file) {
    return Reader(file).read();
}

} // namespace halfstep::store
