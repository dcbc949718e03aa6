#include "engine/train/named_arrays.h"
#include "engine/backend/backend.h"
#include "engine/nn/convnet.h"
#include "engine/precision/round_to.h"
#include "engine/tensor/error.h"
#include "engine/values/number_text.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace halfstep::train {
namespace {

[[noreturn]] void refuse(const ArrayUse& use, const std::string& reason) {
    throw DataError(fmt::format("{} cannot be used: {}; {}.", use.subject, reason, use.advice));
}

const NamedArray* arrayNamed(const std::vector<NamedArray>& arrays, const std::string& name) {
    const auto found = std::ranges::find(arrays, name, &NamedArray::name);
    return found == arrays.end() ? nullptr : &*found;
}

/// The last layer's kernel [inputs, classes] tells what the weights were made for.
std::string shapeReason(const NamedArray& array, const tensor::Shape& expected) {
    const std::string reason =
        fmt::format("\"{}\" has the shape {}, expected {}", array.name, array.shape.text(), expected.text());
    const bool otherClasses = array.name == "dense/kernel" && array.shape.rank() == 2 &&
                              array.shape[0] == expected[0] && array.shape[1] != expected[1];
    return otherClasses ? fmt::format("{}: they are for {} classes, not for {}", reason, array.shape[1], expected[1])
                        : reason;
}

void requireFinite(const NamedArray& array, tensor::DType dtype, const ArrayUse& use) {
    for (std::size_t i = 0; i < array.values.size(); ++i) {
        const float value = array.values[i];
        if (!std::isfinite(value)) {
            refuse(use, fmt::format("\"{}\" holds {} (element {})", array.name,
                                    values::numberText(static_cast<double>(value)), i));
        }
        if (!std::isfinite(precision::roundTo(dtype, value))) {
            refuse(use, fmt::format("\"{}\" holds {} (element {}), which is beyond {}", array.name,
                                    values::numberText(static_cast<double>(value)), i, tensor::nameOf(dtype)));
        }
    }
}

} // namespace

std::vector<NamedTensor> variablesOf(nn::ConvNet& network) {
    std::vector<NamedTensor> variables;
    for (const nn::Variable& variable : network.variables()) {
        variables.push_back({variable.name, variable.value});
    }
    return variables;
}

NamedArray download(backend::Backend& device, const NamedTensor& from) {
    NamedArray array{from.name, from.tensor.shape, std::vector<float>(static_cast<std::size_t>(from.tensor.count()))};
    device.download(from.tensor, array.values);
    return array;
}

std::vector<NamedArray> download(backend::Backend& device, const std::vector<NamedTensor>& from) {
    std::vector<NamedArray> arrays;
    for (const NamedTensor& tensor : from) {
        arrays.push_back(download(device, tensor));
    }
    return arrays;
}

void requireFitting(const std::vector<NamedArray>& arrays, const std::vector<NamedTensor>& tensors,
                    const ArrayUse& use) {
    for (const NamedArray& array : arrays) {
        if (std::ranges::find(tensors, array.name, &NamedTensor::name) == tensors.end()) {
            refuse(use, fmt::format("they hold \"{}\", which this network does not have", array.name));
        }
        if (std::ranges::count(arrays, array.name, &NamedArray::name) > 1) {
            refuse(use, fmt::format("\"{}\" comes twice", array.name));
        }
    }
    for (const auto& [name, tensor] : tensors) {
        const NamedArray* array = arrayNamed(arrays, name);
        if (array == nullptr) {
            refuse(use, fmt::format("they lack \"{}\" {}", name, tensor.shape.text()));
        }
        if (array->shape != tensor.shape) {
            refuse(use, shapeReason(*array, tensor.shape));
        }
        if (static_cast<std::int64_t>(array->values.size()) != array->shape.count()) {
            refuse(use, fmt::format("\"{}\" holds {} values, but its shape {} needs {}", name, array->values.size(),
                                    array->shape.text(), array->shape.count()));
        }
        if (use.mustBeFinite) {
            requireFinite(*array, tensor.dtype, use);
        }
    }
}

void upload(backend::Backend& device, const std::vector<NamedArray>& arrays, const std::vector<NamedTensor>& to,
            const ArrayUse& use) {
    requireFitting(arrays, to, use);
    for (const auto& [name, tensor] : to) {
        device.upload(arrayNamed(arrays, name)->values, tensor);
    }
}

} // namespace halfstep::train
