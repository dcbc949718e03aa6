#include "engine/train/weights_file.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace halfstep::train {
namespace {
using store::SafetensorsArray;

std::string withoutOutputNumber(std::string name) {
    if (name.ends_with(":0")) {
        name.erase(name.size() - 2);
    }
    return name;
}

tensor::Shape shapeOf(const SafetensorsArray& array, const std::filesystem::path& file) {
    const std::vector<std::int64_t>& s = array.shape;
    switch (s.size()) {
    case 0:
        return {};
    case 1:
        return {s[0]};
    case 2:
        return {s[0], s[1]};
    case 3:
        return {s[0], s[1], s[2]};
    case 4:
        return {s[0], s[1], s[2], s[3]};
    default:
        throw DataError(fmt::format("\"{}\" in \"{}\" has {} dimensions; at most 4 are expected.", array.name,
                                    file.string(), s.size()));
    }
}

std::vector<NamedArray> namedArraysOf(const std::filesystem::path& file) {
    std::vector<NamedArray> weights;
    for (SafetensorsArray& array : store::readSafetensors(file)) {
        NamedArray& weight = weights.emplace_back(floatsOf(std::move(array), file));
        weight.name = withoutOutputNumber(std::move(weight.name));
        if (std::ranges::count(weights, weight.name, &NamedArray::name) > 1) {
            throw DataError(
                fmt::format("\"{}\" comes twice in \"{}\", with and without \":0\".", weight.name, file.string()));
        }
    }
    return weights;
}

} // namespace

NamedArray floatsOf(SafetensorsArray array, const std::filesystem::path& file) {
    auto* values = std::get_if<std::vector<float>>(&array.values);
    if (values == nullptr) {
        throw DataError(
            fmt::format("\"{}\" in \"{}\" holds whole numbers; float32 is expected.", array.name, file.string()));
    }
    const tensor::Shape shape = shapeOf(array, file);
    return {std::move(array.name), shape, std::move(*values)};
}

std::vector<NamedArray> readWeights(const std::filesystem::path& file, std::string_view advice) {
    try {
        return namedArraysOf(file);
    } catch (const DataError& error) {
        throw DataError(fmt::format("{} {}", error.what(), advice));
    }
}

ArrayUse useOfWeights(const std::filesystem::path& file) {
    return {.subject = fmt::format("The weights in \"{}\"", file.string()),
            .advice = "choose a file with the weights of this network, such as `halfstep runs export` writes"};
}

void writeArrays(const std::filesystem::path& file, std::vector<NamedArray> arrays) {
    std::vector<SafetensorsArray> stored;
    for (NamedArray& array : arrays) {
        SafetensorsArray& to =
            stored.emplace_back(SafetensorsArray{std::move(array.name), {}, std::move(array.values)});
        for (int dimension = 0; dimension < array.shape.rank(); ++dimension) {
            to.shape.push_back(array.shape[dimension]);
        }
    }
    store::writeSafetensors(file, stored);
}

void writeWeights(const std::filesystem::path& file, std::vector<NamedArray> weights) {
    for (const NamedArray& weight : weights) {
        if (!std::ranges::all_of(weight.values, [](float value) { return std::isfinite(value); })) {
            throw StoreError(fmt::format("The weights are not written to \"{}\": \"{}\" is not finite any more; "
                                         "train with a lower learning rate or another policy.",
                                         file.string(), weight.name));
        }
    }
    writeArrays(file, std::move(weights));
}

} // namespace halfstep::train
