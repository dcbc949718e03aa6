#include "tests/support/golden_file.h"
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace halfstep::support {
namespace {

Shape shapeOf(const std::vector<std::int64_t>& sizes) {
    switch (sizes.size()) {
    case 0:
        return {1};
    case 1:
        return {sizes[0]};
    case 2:
        return {sizes[0], sizes[1]};
    case 4:
        return {sizes[0], sizes[1], sizes[2], sizes[3]};
    default:
        throw std::runtime_error("A golden array has 0, 1, 2 or 4 dimensions.");
    }
}

template <class Element>
Array decode(const Shape& shape, const std::string& bytes, std::size_t begin) {
    std::vector<Element> elements(static_cast<std::size_t>(shape.count()));
    if (begin + elements.size() * sizeof(Element) > bytes.size()) {
        throw std::runtime_error("A golden file is shorter than its header says.");
    }
    std::memcpy(elements.data(), bytes.data() + begin, elements.size() * sizeof(Element));
    return {shape, {elements.begin(), elements.end()}};
}

Array everyNth(const Array& array, std::int64_t stride) {
    Array result = zeros({(array.count() + stride - 1) / stride});
    for (std::int64_t i = 0; i < result.count(); ++i) {
        result[i] = array[i * stride];
    }
    return result;
}

} // namespace

Array Golden::kept(const std::string& variable, const Array& array) const {
    const auto stride = about.find("stride/" + variable);
    return stride == about.end() ? array : everyNth(array, std::stoll(stride->second));
}

Golden readGolden(const std::string& name) {
    const std::string path = std::string(HALFSTEP_TESTS_FOLDER) + "/golden/" + name + ".safetensors";
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    std::uint64_t headerSize = 0;
    if (bytes.size() < sizeof headerSize) {
        throw std::runtime_error("Reading the golden file " + path + ": it is missing or empty.");
    }
    std::memcpy(&headerSize, bytes.data(), sizeof headerSize);
    const std::size_t data = sizeof headerSize + headerSize;
    const nlohmann::json header = nlohmann::json::parse(bytes.substr(sizeof headerSize, headerSize));
    Golden golden;
    for (const auto& [key, entry] : header.items()) {
        if (key == "__metadata__") {
            entry.get_to(golden.about);
            continue;
        }
        const Shape shape = shapeOf(entry.at("shape").get<std::vector<std::int64_t>>());
        const std::size_t begin = data + entry.at("data_offsets").at(0).get<std::size_t>();
        golden.arrays[key] =
            entry.at("dtype") == "F64" ? decode<double>(shape, bytes, begin) : decode<float>(shape, bytes, begin);
    }
    const auto number = [&golden](const char* key) { return std::stoll(golden.about.at(key)); };
    const auto draw = golden.about.at("kind") == "clear" ? drawClearCase : drawConvnetCase;
    golden.drawn = draw(static_cast<std::uint64_t>(number("seed")), number("batch"), number("size"));
    golden.policy = precision::policyNamed(golden.about.at("policy")).value();
    golden.lossScale = std::stod(golden.about.at("loss_scale"));
    return golden;
}

} // namespace halfstep::support
