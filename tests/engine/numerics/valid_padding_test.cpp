#include "engine/nn/conv2d.h"
#include "engine/tensor/error.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/engine/numerics/tested_geometry.h"
#include "tests/support/convolution_oracle.h"
#include "tests/support/device_arrays.h"
#include "tests/support/random_numbers.h"
#include "tests/support/tolerance.h"
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

namespace halfstep::support {
namespace {

using tensor::Tensor;

/// Kernels that fill the image, with one row or column left over and with none; narrow inputs and wide ones.
std::vector<Geometry> geometries() {
    std::vector<Geometry> list;
    for (const auto& [channels, filters] : {std::pair{3, 16}, std::pair{16, 32}, std::pair{5, 7}}) {
        for (const Geometry& g : {Geometry{1, 1, 1, channels, filters, 1, 1},
                                  {3, 8, 7, channels, filters, 1, 2},
                                  {2, 11, 12, channels, filters, 11, 2},
                                  {5, 9, 6, channels, filters, 3, 2},
                                  {2, 5, 30, channels, filters, 5, 1},
                                  {1, 40, 41, channels, filters, 7, 2},
                                  {2, 37, 20, channels, filters, 4, 2},
                                  {1, 48, 13, channels, filters, 10, 1}}) {
            list.push_back(g);
            list.back().padding = Padding::Valid;
        }
    }
    return list;
}

class ValidPadding : public testing::TestWithParam<std::tuple<DType, std::string>> {
protected:
    DType dtype() const { return std::get<DType>(GetParam()); }
    Array drawn(const Shape& shape, double low, std::uint64_t seed) const {
        return rounded(dtype(), RandomNumbers(seed).array(shape, low, 1.0));
    }
    Tensor on(const Array& array) const { return onDevice(*m_device, dtype(), array); }
    bool fft() const { return std::get<std::string>(GetParam()) == "fft"; }
    double tolerance(std::int64_t terms) const { return fft() ? kFftElement : sumTolerance(terms); }
    double gradientTolerance(std::int64_t terms) const {
        return fft() ? fftGradientElement(dtype()) : sumTolerance(terms);
    }

    std::shared_ptr<backend::Backend> m_device = makeTestBackend(2, std::get<std::string>(GetParam()));
};

TEST_P(ValidPadding, EveryPassMatchesTheDoubleReference) {
    for (const Geometry& g : geometries()) {
        SCOPED_TRACE(g.text());
        const Array x = drawn(g.x(), -0.5, 1), w = drawn(g.w(), -1.0, 2), b = drawn({g.filters}, -1.0, 3);
        const Array dy = drawn(g.y(), -1.0, 4);
        const Tensor y = on(filled(g.y(), 7)), dw = on(filled(g.w(), 7)), dx = on(filled(g.x(), 7));
        m_device->conv2dBiasRelu(on(x), on(w), on(b), g.options(), y);
        m_device->conv2dBackwardWeights(on(x), on(dy), g.options(), dw);
        m_device->conv2dBackwardData(on(w), on(dy), g.options(), dx);
        const std::int64_t taps = g.kernel * g.kernel;
        EXPECT_TRUE(isNear(fromDevice(*m_device, y), conv2dBiasRelu(x, w, b, g.stride, g.padding), dtype(),
                           tolerance(taps * g.channels)));
        EXPECT_TRUE(isNear(fromDevice(*m_device, dw), conv2dBackwardWeights(x, dy, g.stride, g.w(), g.padding),
                           dtype(), gradientTolerance(g.y().count() / g.filters)));
        EXPECT_TRUE(isNear(fromDevice(*m_device, dx), conv2dBackwardData(w, dy, g.stride, g.x(), g.padding), dtype(),
                           gradientTolerance(taps * g.filters)));
    }
}

TEST_P(ValidPadding, WhatNoOutputSeesNeitherGivesNorTakes) {
    for (const Geometry& g : geometries()) {
        SCOPED_TRACE(g.text());
        const auto seen = [&](std::int64_t i) {
            const std::int64_t column = i / g.channels % g.width, row = i / g.channels / g.width % g.height;
            return row < g.engine().usedHeight() && column < g.engine().usedWidth();
        };
        Array x = drawn(g.x(), -0.5, 1);
        for (std::int64_t i = 0; i < x.count(); ++i) {
            x[i] = seen(i) ? x[i] : std::numeric_limits<double>::quiet_NaN();
        }
        const Array w = drawn(g.w(), -1.0, 2), dy = drawn(g.y(), -1.0, 3);
        const Tensor y = on(zeros(g.y())), dw = on(zeros(g.w())), dx = on(filled(g.x(), 7));
        m_device->conv2dBiasRelu(on(x), on(w), on(zeros({g.filters})), g.options(), y);
        m_device->conv2dBackwardWeights(on(x), on(dy), g.options(), dw);
        m_device->conv2dBackwardData(on(w), on(dy), g.options(), dx);
        for (const Array& result : {fromDevice(*m_device, y), fromDevice(*m_device, dw)}) {
            EXPECT_TRUE(std::ranges::all_of(result.values, [](double value) { return std::isfinite(value); }));
        }
        const Array gradient = fromDevice(*m_device, dx);
        for (std::int64_t i = 0; i < gradient.count(); ++i) {
            ASSERT_TRUE(seen(i) || gradient[i] == 0.0) << i << " is " << gradient[i];
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, ValidPadding, testing::Combine(everyDType(), testing::Values("direct", "fft")),
                         [](const testing::TestParamInfo<ValidPadding::ParamType>& test) {
                             return std::string(nameOf(std::get<DType>(test.param))) + "_" +
                                    std::get<std::string>(test.param);
                         });

TEST(Conv2D, WithPaddingValidHasAnOutputForEveryPlaceOfItsKernelInside) {
    const auto device = makeTestBackend(1);
    std::deque<nn::Variable> variables;
    const nn::LayerContext context{*device, precision::traitsOf(precision::Policy::Float32), 2, variables};
    const nn::Conv2DOptions options{
        .name = "conv2d", .filters = 8, .kernelSize = 5, .stride = 2, .padding = Padding::Valid};
    EXPECT_EQ(nn::Conv2D(context, options, {2, 12, 5, 3}).outputShape(), (Shape{2, 4, 1, 8}));
    EXPECT_THROW(nn::Conv2D(context, options, {2, 12, 4, 3}), ShapeError);
    EXPECT_THROW(nn::Conv2D(context, options, {2, 4, 12, 3}), ShapeError);
}

TEST(Conv2D, WithPaddingValidHasTheGradientsOfItsFunction) {
    const auto device = makeTestBackend(1);
    std::deque<nn::Variable> variables;
    const nn::LayerContext context{*device, precision::traitsOf(precision::Policy::Float32), 2, variables};
    const Geometry g{2, 12, 9, 3, 16, 5, 2, Padding::Valid};
    nn::Conv2D layer(
        context, {.name = "conv2d", .filters = 16, .kernelSize = 5, .stride = 2, .padding = Padding::Valid}, g.x());
    const Array x = RandomNumbers(1).array(g.x(), 0.0, 1.0), w = RandomNumbers(2).array(g.w(), -1.0, 1.0);
    const Array dy = RandomNumbers(3).array(g.y(), -1.0, 1.0);
    device->upload(std::vector<float>(w.values.begin(), w.values.end()), variables[0].value);
    const Tensor input = onDevice(*device, DType::Float32, x), dx = device->allocate(DType::Float32, g.x());
    const Array y = conv2dBiasRelu(x, w, zeros({g.filters}), g.stride, g.padding);
    EXPECT_TRUE(
        isNear(fromDevice(*device, layer.forward(input, nn::Mode::Training)), y, DType::Float32, sumTolerance(75)));
    const Tensor throughRelu = onDevice(*device, DType::Float32, dy);
    layer.reluBackward(throughRelu);
    layer.backwardWeights(throughRelu);
    layer.backwardData(throughRelu, dx);
    const Array gradient = biasReluBackward(y, dy).dy;
    EXPECT_TRUE(isNear(fromDevice(*device, variables[0].gradient),
                       conv2dBackwardWeights(x, gradient, g.stride, g.w(), g.padding), DType::Float32,
                       sumTolerance(40)));
    EXPECT_TRUE(isNear(fromDevice(*device, dx), conv2dBackwardData(w, gradient, g.stride, g.x(), g.padding),
                       DType::Float32, sumTolerance(400)));
}

} // namespace
} // namespace halfstep::support
