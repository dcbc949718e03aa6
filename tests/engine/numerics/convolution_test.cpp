#include "tests/engine/numerics/every_backend.h"
#include "tests/engine/numerics/tested_geometry.h"
#include "tests/support/convolution_oracle.h"
#include "tests/support/device_arrays.h"
#include "tests/support/rounding.h"
#include "tests/support/tolerance.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace halfstep::support {
namespace {

/// Every kernel size with every stride on every image size; channels, filters and batch take turns, and shrink where
/// the oracle would be slow.
std::vector<Geometry> geometries() {
    constexpr std::int64_t kMostProducts = 6'000'000;
    constexpr std::array<std::array<std::int64_t, 2>, 7> kSizes{
        {{1, 1}, {2, 3}, {7, 7}, {8, 8}, {13, 10}, {16, 32}, {36, 37}}};
    constexpr std::array<std::int64_t, 4> kChannels{1, 3, 8, 32};
    constexpr std::array<std::int64_t, 4> kFilters{64, 1, 10, 8};
    constexpr std::array<std::int64_t, 3> kBatches{1, 2, 7};
    std::vector<Geometry> list;
    for (const int stride : {1, 2}) {
        for (const std::int64_t kernel : {1, 3, 5, 7, 11}) {
            for (const auto& [height, width] : kSizes) {
                const std::size_t turn = list.size();
                Geometry geometry{kBatches[turn % 3],     height, width, kChannels[turn % 4],
                                  kFilters[turn / 2 % 4], kernel, stride};
                if (geometry.products() > kMostProducts) {
                    geometry.batch = 1;
                }
                while (geometry.products() > kMostProducts && geometry.filters > 1) {
                    geometry.filters = std::max<std::int64_t>(geometry.filters / 8, 1);
                }
                while (geometry.products() > kMostProducts) {
                    geometry.channels = std::max<std::int64_t>(geometry.channels / 4, 1);
                }
                list.push_back(geometry);
            }
        }
    }
    return list;
}

class Convolution : public EveryBackend {
protected:
    Array forward(const Geometry& g, const Array& x, const Array& w, const Array& b) const {
        return onEveryTeam([&](backend::Backend& device) {
                   const tensor::Tensor y = device.allocate(dtype(), g.y());
                   device.conv2dBiasRelu(onDevice(device, dtype(), x), onDevice(device, dtype(), w),
                                         onDevice(device, dtype(), b), {g.stride}, y);
                   return std::vector{fromDevice(device, y)};
               })
            .front();
    }
};

TEST_P(Convolution, ForwardMatchesTheDoubleReference) {
    for (const Geometry& g : geometries()) {
        const Array x = drawn(g.x(), -0.5, 1.0, 1);
        const Array w = drawn(g.w(), -0.5, 0.5, 2);
        const Array b = drawn({g.filters}, -0.5, 0.5, 3);
        const Array exact = conv2dBiasRelu(x, w, b, g.stride);
        EXPECT_TRUE(isNear(forward(g, x, w, b), exact, dtype(), sumTolerance(g.kernel * g.kernel * g.channels)))
            << g.text();
    }
}

TEST_P(Convolution, BackwardWeightsMatchesTheDoubleReference) {
    for (const Geometry& g : geometries()) {
        const Array x = drawn(g.x(), -0.5, 1.0, 1);
        const Array dy = drawn(g.y(), -1.0, 1.0, 2);
        const Array exact = conv2dBackwardWeights(x, dy, g.stride, g.kernel);
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor dw = device.allocate(dtype(), g.w());
            device.conv2dBackwardWeights(onDevice(device, dtype(), x), onDevice(device, dtype(), dy), {g.stride}, dw);
            return std::vector{fromDevice(device, dw)};
        });
        EXPECT_TRUE(isNear(result.front(), exact, dtype(), sumTolerance(g.y().count() / g.filters))) << g.text();
    }
}

TEST_P(Convolution, BackwardDataMatchesTheDoubleReference) {
    for (const Geometry& g : geometries()) {
        const Array w = drawn(g.w(), -0.5, 0.5, 1);
        const Array dy = drawn(g.y(), -1.0, 1.0, 2);
        const Array exact = conv2dBackwardData(w, dy, g.stride, g.x());
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor dx = device.allocate(dtype(), g.x());
            device.conv2dBackwardData(onDevice(device, dtype(), w), onDevice(device, dtype(), dy), {g.stride}, dx);
            return std::vector{fromDevice(device, dx)};
        });
        EXPECT_TRUE(isNear(result.front(), exact, dtype(), sumTolerance(g.kernel * g.kernel * g.filters)))
            << g.text();
    }
}

TEST_P(Convolution, BackwardOverwritesWhatTheOutputHeld) {
    const Geometry g{2, 7, 6, 3, 8, 5, 2};
    const Array x = drawn(g.x(), -0.5, 1.0, 1);
    const Array w = drawn(g.w(), -0.5, 0.5, 2);
    const Array dy = drawn(g.y(), -1.0, 1.0, 3);
    const auto gradients = [&](double before) {
        return onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor dw = onDevice(device, dtype(), filled(g.w(), before));
            const tensor::Tensor dx = onDevice(device, dtype(), filled(g.x(), before));
            const tensor::Tensor gradient = onDevice(device, dtype(), dy);
            device.conv2dBackwardWeights(onDevice(device, dtype(), x), gradient, {g.stride}, dw);
            device.conv2dBackwardData(onDevice(device, dtype(), w), gradient, {g.stride}, dx);
            return std::vector{fromDevice(device, dw), fromDevice(device, dx)};
        });
    };
    const auto clean = gradients(0);
    const auto dirty = gradients(100);
    EXPECT_TRUE(sameBits(clean[0], dirty[0]));
    EXPECT_TRUE(sameBits(clean[1], dirty[1]));
}

TEST_P(Convolution, OneBackendServesManyGeometriesInTurn) {
    const Geometry small{1, 7, 7, 3, 8, 3, 1};
    const Geometry large{7, 13, 10, 8, 10, 5, 2};
    const auto outputOf = [&](const Geometry& g) {
        return forward(g, drawn(g.x(), -0.5, 1.0, 1), drawn(g.w(), -0.5, 0.5, 2), drawn({g.filters}, -0.5, 0.5, 3));
    };
    const Array first = outputOf(small);
    outputOf(large);
    EXPECT_TRUE(sameBits(outputOf(small), first));
}

TEST_P(Convolution, PadsTheSmallerHalfBefore) {
    // One tap at the kernel's corner picks the input pixel (2p - before, 2q - before); padding 1/2 for 5x5 on 8x8.
    const Geometry g{1, 8, 8, 1, 1, 5, 2};
    Array x = zeros(g.x());
    for (std::int64_t i = 0; i < x.count(); ++i) {
        x[i] = static_cast<double>(i + 1);
    }
    Array w = zeros(g.w());
    w[0] = 1;
    const Array y = forward(g, x, w, zeros({1}));
    for (std::int64_t p = 0; p < 4; ++p) {
        for (std::int64_t q = 0; q < 4; ++q) {
            const double expected = p == 0 || q == 0 ? 0.0 : x[(2 * p - 1) * 8 + 2 * q - 1];
            EXPECT_EQ(y[p * 4 + q], expected) << p << ", " << q;
        }
    }
}

TEST_P(Convolution, NanAndInfinityAreNotHiddenByRelu) {
    const Geometry g{1, 8, 8, 8, 16, 3, 1};
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        Array x = drawn(g.x(), 0.1, 1.0, 1);
        x[0] = bad;
        const Array y = forward(g, x, filled(g.w(), 0.5), zeros({g.filters}));
        for (std::int64_t k = 0; k < g.filters; ++k) {
            EXPECT_FALSE(std::isfinite(y[k])) << bad;
        }
        EXPECT_TRUE(std::isfinite(y[y.count() - 1])); // far from the bad pixel
    }
}

TEST_P(Convolution, SumsTooLargeForTheDTypeBecomeInfinite) {
    const Geometry g{1, 4, 4, 8, 8, 3, 1};
    const double half = largestOf(dtype()) / 2;
    const Array y = forward(g, filled(g.x(), roundTo(dtype(), half)), filled(g.w(), 1.0), zeros({g.filters}));
    for (const double value : y.values) {
        EXPECT_EQ(value, std::numeric_limits<double>::infinity());
    }
}

TEST_P(Convolution, BiasReluBackwardMasksInPlaceAndSums) {
    for (const Shape& shape : {Shape{1, 1, 1, 1}, Shape{2, 3, 5, 3}, Shape{7, 13, 10, 10}, Shape{2, 8, 8, 64},
                               Shape{3, 37, 36, 32}, Shape{1, 64, 64, 33}}) {
        Array y = drawn(shape, -1.0, 1.0, 1);
        for (double& value : y.values) {
            value = std::max(value, 0.0);
        }
        const Array dy = drawn(shape, -1.0, 1.0, 2);
        const BiasReluGradients exact = biasReluBackward(y, dy);
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor gradient = onDevice(device, dtype(), dy);
            const tensor::Tensor db = device.allocate(dtype(), {shape[3]});
            device.biasReluBackward(onDevice(device, dtype(), y), gradient, db);
            return std::vector{fromDevice(device, gradient), fromDevice(device, db)};
        });
        EXPECT_TRUE(isNear(result[0], exact.dy, DType::Float32, 0)) << shape.text();
        EXPECT_TRUE(isNear(result[1], exact.db, dtype(), sumTolerance(shape.count() / shape[3]))) << shape.text();
    }
}

TEST_P(Convolution, BiasReluBackwardGivesZeroWhereReluWasOffWhateverCameBack) {
    const Shape shape{1, 4, 5, 17};
    const auto result = onEveryTeam([&](backend::Backend& device) {
        const tensor::Tensor dy = onDevice(device, dtype(), filled(shape, std::numeric_limits<double>::infinity()));
        const tensor::Tensor db = device.allocate(dtype(), {shape[3]});
        device.biasReluBackward(device.allocate(dtype(), shape), dy, db);
        return std::vector{fromDevice(device, dy), fromDevice(device, db)};
    });
    EXPECT_TRUE(isNear(result[0], zeros(shape), dtype(), 0));
    EXPECT_TRUE(isNear(result[1], zeros({shape[3]}), dtype(), 0));
}

INSTANTIATE_TEST_SUITE_P(Cpu, Convolution, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
