#include "tests/support/convnet_case.h"
#include <array>
#include <cmath>

namespace halfstep::support {
namespace {

/// Glorot's bound of a kernel [R, S, C, K] or [C, K].
double glorotBound(const Shape& shape) {
    const bool convolution = shape.rank() == 4;
    const std::int64_t taps = convolution ? shape[0] * shape[1] : 1;
    const std::int64_t in = shape[shape.rank() - 2];
    const std::int64_t out = shape[shape.rank() - 1];
    return std::sqrt(6.0 / static_cast<double>(taps * (in + out)));
}

/// Nothing is left at 0 or 1, where a forgotten term would not show.
Array drawVariable(const Variable& variable, RandomNumbers& numbers) {
    const std::string kind = variable.name.substr(variable.name.find('/') + 1);
    if (kind == "kernel") {
        const double bound = glorotBound(variable.shape);
        return numbers.array(variable.shape, -bound, bound);
    }
    if (kind == "gamma") {
        return numbers.array(variable.shape, 0.75, 1.25);
    }
    if (kind == "moving_variance") {
        return numbers.array(variable.shape, 0.5, 1.5);
    }
    return numbers.array(variable.shape, -0.125, 0.125);
}

} // namespace

std::vector<Variable> convnetVariables() {
    std::vector<Variable> list;
    const auto addConvolution = [&list](const std::string& suffix, std::int64_t size, std::int64_t in,
                                        std::int64_t out) {
        list.push_back({"conv2d" + suffix + "/kernel", {size, size, in, out}});
        list.push_back({"conv2d" + suffix + "/bias", {out}});
        list.push_back({"batch_normalization" + suffix + "/gamma", {out}});
        list.push_back({"batch_normalization" + suffix + "/beta", {out}});
        list.push_back({"batch_normalization" + suffix + "/moving_mean", {out}, false});
        list.push_back({"batch_normalization" + suffix + "/moving_variance", {out}, false});
    };
    addConvolution("", 5, 3, 32);
    addConvolution("_1", 7, 32, 64);
    addConvolution("_2", 11, 64, 128);
    list.push_back({"dense/kernel", {128, 10}});
    list.push_back({"dense/bias", {10}});
    return list;
}

Arrays drawConvnetWeights(RandomNumbers& numbers) {
    Arrays weights;
    for (const Variable& variable : convnetVariables()) {
        weights[variable.name] = drawVariable(variable, numbers);
    }
    return weights;
}

ConvnetCase drawConvnetCase(std::uint64_t seed, std::int64_t batch, std::int64_t size) {
    RandomNumbers numbers(seed);
    ConvnetCase drawn;
    drawn.weights = drawConvnetWeights(numbers);
    drawn.images = numbers.array({batch, size, size, 3}, 0.0, 1.0);
    for (std::int64_t n = 0; n < batch; ++n) {
        drawn.labels.push_back(static_cast<std::int64_t>(numbers.next() % 10));
    }
    return drawn;
}

ConvnetCase drawClearCase(std::uint64_t seed, std::int64_t batch, std::int64_t size) {
    const auto sign = [](std::int64_t index) { return index % 2 == 0 ? 1.0 : -1.0; };
    ConvnetCase drawn = drawConvnetCase(seed, batch, size);
    for (const std::string name : {"conv2d", "conv2d_1", "conv2d_2"}) {
        const bool first = name == "conv2d"; // whose input channels are colours
        Array& kernel = drawn.weights[name + "/kernel"];
        const std::int64_t channels = kernel.shape[2];
        const std::int64_t filters = kernel.shape[3];
        for (std::int64_t i = 0; i < kernel.count(); ++i) {
            const double channelSign = first ? 1.0 : sign(i / filters % channels);
            kernel[i] = std::abs(kernel[i]) * channelSign * sign(i % filters);
        }
        for (std::int64_t k = 0; first && k < filters; ++k) {
            double& bias = drawn.weights[name + "/bias"][k];
            bias = static_cast<float>(bias - 0.6 * sign(k));
        }
    }
    constexpr std::array kDarkest{0.9, 0.0, 0.8, 0.08};
    constexpr std::array kContrast{0.1, 0.02, 0.1, 0.04};
    const std::int64_t perImage = drawn.images.count() / batch;
    for (std::int64_t i = 0; i < drawn.images.count(); ++i) {
        const auto shade = static_cast<std::size_t>(i / perImage % 4);
        drawn.images[i] = static_cast<float>(drawn.images[i] * kContrast[shade] + kDarkest[shade]);
    }
    return drawn;
}

train::SingleStepInput stepInput(const ConvnetCase& drawn, precision::Policy policy) {
    const auto named = [](const std::string& name, const Array& array) {
        return train::NamedArray{name, array.shape, std::vector<float>(array.values.begin(), array.values.end())};
    };
    train::SingleStepInput input;
    for (const auto& [name, array] : drawn.weights) {
        input.weights.push_back(named(name, array));
    }
    input.images = named("images", drawn.images);
    input.labels = drawn.labels;
    input.policy = policy;
    return input;
}

Arrays arraysOf(const std::vector<train::NamedArray>& list, const std::string& prefix) {
    Arrays result;
    for (const train::NamedArray& entry : list) {
        if (entry.name.starts_with(prefix)) {
            result[entry.name.substr(prefix.size())] = {entry.shape, {entry.values.begin(), entry.values.end()}};
        }
    }
    return result;
}

} // namespace halfstep::support
