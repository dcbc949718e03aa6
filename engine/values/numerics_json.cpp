#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace halfstep::values {
namespace {
using Json = nlohmann::ordered_json;
using tensor::ExponentHistogram;

constexpr std::array kDTypes{tensor::DType::Float32, tensor::DType::Float16, tensor::DType::BFloat16};

/// From the first exponent that occurs to the last.
Json countsJson(const ExponentHistogram& histogram, int& firstExponent) {
    const auto isUsed = [](std::int64_t count) { return count != 0; };
    const auto first = std::ranges::find_if(histogram.counts, isUsed);
    const auto last = std::find_if(histogram.counts.rbegin(), histogram.counts.rend(), isUsed).base();
    firstExponent = ExponentHistogram::kLowest + static_cast<int>(first - histogram.counts.begin());
    return first < last ? Json(std::vector<std::int64_t>(first, last)) : Json::array();
}

Json toJson(const TensorNumerics& tensor) {
    int firstExponent = 0;
    Json counts = countsJson(tensor.histogram, firstExponent);
    return {{"layer", tensor.layer},
            {"tensor", tensor.tensor},
            {"pass", nameOf(tensor.pass)},
            {"role", nameOf(tensor.role)},
            {"dtype", tensor::nameOf(tensor.dtype)},
            {"elements", tensor.elements},
            {"zeros", tensor.histogram.zeros},
            {"infinities", tensor.histogram.infinities},
            {"nans", tensor.histogram.nans},
            {"largest", tensor.histogram.largest},
            {"first_exponent", counts.empty() ? 0 : firstExponent},
            {"counts", std::move(counts)}};
}

TensorNumerics tensorFrom(const Json& json) {
    TensorNumerics tensor;
    tensor.layer = json.at("layer").get<std::string>();
    tensor.tensor = json.at("tensor").get<std::string>();
    tensor.pass = passNamed(json.at("pass").get<std::string>()).value();
    tensor.role = tensorRoleNamed(json.at("role").get<std::string>()).value();
    const std::string dtype = json.at("dtype").get<std::string>();
    const auto known = std::ranges::find(kDTypes, dtype, &tensor::nameOf);
    if (known == kDTypes.end()) {
        throw std::out_of_range("dtype");
    }
    tensor.dtype = *known;
    tensor.elements = json.at("elements").get<std::int64_t>();
    tensor.histogram.zeros = json.at("zeros").get<std::int64_t>();
    tensor.histogram.infinities = json.at("infinities").get<std::int64_t>();
    tensor.histogram.nans = json.at("nans").get<std::int64_t>();
    tensor.histogram.largest = json.at("largest").get<double>();
    const auto counts = json.at("counts").get<std::vector<std::int64_t>>();
    const std::int64_t first = json.at("first_exponent").get<std::int64_t>() - ExponentHistogram::kLowest;
    const std::int64_t size = static_cast<std::int64_t>(tensor.histogram.counts.size());
    if (first < 0 || first + static_cast<std::int64_t>(counts.size()) > size) {
        throw std::out_of_range("exponents");
    }
    std::ranges::copy(counts, tensor.histogram.counts.begin() + first);
    return tensor;
}

} // namespace

Json toJson(const NumericsRecord& record) {
    Json tensors = Json::array();
    for (const TensorNumerics& tensor : record.tensors) {
        tensors.push_back(toJson(tensor));
    }
    return {{"step", record.step}, {"loss_scale", numberJson(record.lossScale)}, {"tensors", std::move(tensors)}};
}

NumericsRecord numericsFrom(const Json& json) {
    try {
        NumericsRecord record;
        record.step = json.at("step").get<std::int64_t>();
        record.lossScale = json.at("loss_scale").get<double>();
        for (const Json& tensor : json.at("tensors")) {
            record.tensors.push_back(tensorFrom(tensor));
        }
        return record;
    } catch (const std::exception&) { // nlohmann's, bad_optional_access, out_of_range: each says only what it missed
        throw StoreError(
            "A record of a step's numbers cannot be read; it was made by another version or is damaged.");
    }
}

} // namespace halfstep::values
