#include "engine/backend/cpu/narrow/narrow_convolution.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/engine/numerics/tested_geometry.h"
#include "tests/support/convolution_oracle.h"
#include "tests/support/device_arrays.h"
#include "tests/support/random_numbers.h"
#include "tests/support/tolerance.h"
#include <array>
#include <cmath>
#include <limits>

namespace halfstep::support {
namespace {

namespace cpu = backend::cpu;
using tensor::Tensor;

/// Every kernel size with every stride; images from one pixel up, smaller and larger than the kernel, wider than one
/// chain of a sum; channels, filters and batches take turns that do not keep step.
std::vector<Geometry> geometries() {
    constexpr std::array<std::array<std::int64_t, 2>, 7> kSizes{
        {{1, 1}, {2, 3}, {5, 4}, {8, 8}, {13, 10}, {3, 259}, {16, 25}}};
    constexpr std::array<std::int64_t, 6> kFilters{16, 5, 32, 24, 48, 33};
    std::vector<Geometry> list;
    for (const int stride : {1, 2}) {
        for (std::int64_t kernel = 1; kernel <= 11; ++kernel) {
            for (const auto& [height, width] : kSizes) {
                const auto turn = static_cast<std::int64_t>(list.size());
                list.push_back(
                    {turn % 5 + 1, height, width, turn % 4 + 1, kFilters[list.size() % 6], kernel, stride});
            }
        }
    }
    return list;
}

class NarrowConvolutions : public EveryBackend {
protected:
    Array forward(const Geometry& g, const Array& x, const Array& w, const Array& b) const {
        return onEveryTeam([&](backend::Backend& device) {
                   const Tensor y = device.allocate(dtype(), g.y());
                   device.conv2dBiasRelu(onDevice(device, dtype(), x), onDevice(device, dtype(), w),
                                         onDevice(device, dtype(), b), {g.stride}, y);
                   return std::vector{fromDevice(device, y)};
               })
            .front();
    }
    Array backwardWeights(const Geometry& g, const Array& x, const Array& dy) const {
        return onEveryTeam([&](backend::Backend& device) {
                   const Tensor dw = onDevice(device, dtype(), filled(g.w(), 7.0)); // must be overwritten
                   device.conv2dBackwardWeights(onDevice(device, dtype(), x), onDevice(device, dtype(), dy),
                                                {g.stride}, dw);
                   return std::vector{fromDevice(device, dw)};
               })
            .front();
    }
};

TEST(NarrowConvolution, FitsFewChannelsAndAnyFilters) {
    EXPECT_TRUE(cpu::NarrowConvolution::fits({1, 256, 256, 3, 5, 5, 32, 2}));
    EXPECT_FALSE(cpu::NarrowConvolution::fits({1, 256, 256, 5, 5, 5, 32, 2}));
    EXPECT_TRUE(cpu::NarrowConvolution::fits({1, 256, 256, 3, 5, 5, 24, 2}));
    EXPECT_FALSE(cpu::NarrowConvolution::fits({1, 256, 256, 3, 12, 5, 32, 2}));
    EXPECT_FALSE(cpu::NarrowConvolution::fits({1, 256, 256, 3, 5, 5, 32, 3}));
    for (const Geometry& g : geometries()) {
        EXPECT_TRUE(cpu::NarrowConvolution::fits(g.engine())) << g.text();
    }
}

TEST_P(NarrowConvolutions, ForwardMatchesTheDoubleReference) {
    for (const Geometry& g : geometries()) {
        const Array x = drawn(g.x(), -0.5, 1.0, 1);
        const Array w = drawn(g.w(), -0.5, 0.5, 2);
        const Array b = drawn({g.filters}, -0.5, 0.5, 3);
        EXPECT_TRUE(isNear(forward(g, x, w, b), conv2dBiasRelu(x, w, b, g.stride), dtype(),
                           sumTolerance(g.kernel * g.kernel * g.channels)))
            << g.text();
    }
}

TEST_P(NarrowConvolutions, BackwardWeightsMatchesTheDoubleReference) {
    for (const Geometry& g : geometries()) {
        const Array x = drawn(g.x(), -0.5, 1.0, 1);
        const Array dy = drawn(g.y(), -1.0, 1.0, 2);
        EXPECT_TRUE(isNear(backwardWeights(g, x, dy), conv2dBackwardWeights(x, dy, g.stride, g.kernel), dtype(),
                           sumTolerance(g.y().count() / g.filters)))
            << g.text();
    }
}

TEST_P(NarrowConvolutions, NanReachesTheOutputsThatSeeItAndNoOther) {
    const Geometry g{2, 9, 40, 3, 48, 5, 2};
    Array x = drawn(g.x(), 0.1, 1.0, 1);
    x[((1 * g.height + 4) * g.width + 20) * g.channels + 1] = std::numeric_limits<double>::quiet_NaN();
    const Array y = forward(g, x, filled(g.w(), 0.5), zeros({g.filters}));
    std::int64_t nans = 0;
    for (std::int64_t i = 0; i < y.count(); ++i) {
        const std::int64_t column = i / g.filters % g.y()[2], row = i / g.filters / g.y()[2];
        // Before the first row lie two of padding (9 is odd), before the first column one.
        const bool sees = row >= g.y()[1] && std::abs(2 * (row % g.y()[1]) - 4) <= 2 && 2 * column - 1 <= 20 &&
                          20 <= 2 * column + 3;
        EXPECT_EQ(std::isnan(y[i]), sees) << i;
        nans += std::isnan(y[i]) ? 1 : 0;
    }
    EXPECT_EQ(nans, 3 * 2 * g.filters);
}

TEST_P(NarrowConvolutions, NanInTheGradientReachesItsFilterAlone) {
    const Geometry g{3, 20, 70, 3, 32, 5, 1};
    const Array x = drawn(g.x(), 0.1, 1.0, 1);
    Array dy = drawn(g.y(), -1.0, 1.0, 2);
    dy[((1 * 20 + 9) * 70 + 66) * g.filters + 17] = std::numeric_limits<double>::quiet_NaN();
    const Array dw = backwardWeights(g, x, dy);
    for (std::int64_t i = 0; i < dw.count(); ++i) {
        EXPECT_EQ(std::isnan(dw[i]), i % g.filters == 17) << i;
    }
}

/// Where a product and a sum are rounded once, no order of a sum depends on the width of the vectors.
TEST(NarrowConvolution, IsEqualToTheBitOnEveryInstructionSetWithFusedMultiplyAdd) {
    const Geometry g{3, 28, 75, 3, 48, 5, 2};
    std::vector<std::vector<Array>> results;
    for (const cpu::InstructionSet& set : cpu::availableInstructionSets()) {
        if (!set.name.starts_with("avx")) {
            continue;
        }
        const auto device = makeTestBackend(1); // for its tensors alone
        cpu::ThreadPool pool(1);
        const cpu::Kernels kernels = cpu::kernelsFor(set);
        cpu::MemoryLedger memory(std::nullopt);
        cpu::ConvolutionScratch scratch(1);
        cpu::NarrowConvolution convolution(g.engine(), {pool, kernels, memory, scratch});
        const auto onIt = [&](const Shape& shape, std::uint64_t seed) {
            return onDevice(*device, DType::Float32, RandomNumbers(seed).array(shape, -1.0, 1.0));
        };
        const Tensor y = device->allocate(DType::Float32, g.y()), dw = device->allocate(DType::Float32, g.w());
        convolution.forward(onIt(g.x(), 1), onIt(g.w(), 2), onIt({g.filters}, 3), y, nullptr);
        convolution.backwardWeights(onIt(g.x(), 1), onIt(g.y(), 4), dw, nullptr);
        results.push_back({fromDevice(*device, y), fromDevice(*device, dw)});
        EXPECT_TRUE(sameBits(results.back()[0], results.front()[0])) << set.name;
        EXPECT_TRUE(sameBits(results.back()[1], results.front()[1])) << set.name;
    }
}

/// Half a million equal products: a sum in one chain would be off by thousands of units in the last place.
TEST(NarrowConvolution, LongSumsKeepTheirAccuracy) {
    const Geometry g{8, 256, 256, 1, 16, 1, 1};
    const double x = static_cast<double>(0.1F), dy = static_cast<double>(0.3F);
    const auto device = makeTestBackend(2);
    const Tensor dw = device->allocate(DType::Float32, g.w());
    device->conv2dBackwardWeights(onDevice(*device, DType::Float32, filled(g.x(), x)),
                                  onDevice(*device, DType::Float32, filled(g.y(), dy)), {g.stride}, dw);
    const double exact = x * dy * static_cast<double>(g.batch * g.height * g.width);
    EXPECT_TRUE(isNear(fromDevice(*device, dw), filled(g.w(), exact), DType::Float32, kChainsOfAnImage));
}

INSTANTIATE_TEST_SUITE_P(Cpu, NarrowConvolutions, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
