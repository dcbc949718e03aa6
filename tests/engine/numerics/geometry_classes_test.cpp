#include "tests/engine/numerics/every_backend.h"
#include "tests/engine/numerics/geometry_classes.h"
#include "tests/support/convolution_oracle.h"
#include "tests/support/device_arrays.h"
#include "tests/support/random_numbers.h"
#include "tests/support/tolerance.h"
#include <algorithm>
#include <map>
#include <set>

namespace halfstep::support {
namespace {

using tensor::Tensor;

/// Below so many elements a result may be all cancellation, and its rms says nothing.
constexpr std::int64_t kEnoughForAnRms = 64;

struct Results {
    Array y, dw, dx;
};

/// The convolutions of one method, "auto", "fft" or "direct", on the instruction set under test.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kEvery = 8; // the oracle is what takes the time there: all cases took six minutes a set
#else
constexpr std::size_t kEvery = 1;
#endif

class GeometryClasses : public testing::TestWithParam<std::string> {
protected:
    backend::Backend& team(int threads) {
        auto& device = m_teams[threads];
        if (!device) {
            device = makeTestBackend(threads, GetParam());
        }
        return *device;
    }

    static Results run(backend::Backend& device, const GeometryCase& one, const Array& x, const Array& w,
                       const Array& b, const Array& dy) {
        const Geometry& g = one.geometry;
        const auto on = [&](const Array& array) { return onDevice(device, one.dtype, array); };
        // What the memory held must not shine through.
        const Tensor y = on(filled(g.y(), 7)), dw = on(filled(g.w(), 7)), dx = on(filled(g.x(), 7));
        const Tensor input = on(x), weights = on(w), gradient = on(dy);
        backend::ReserveSpace reserve;
        device.conv2dBiasRelu(input, weights, on(b), g.options(), y, &reserve);
        device.conv2dBackwardWeights(input, gradient, g.options(), dw, &reserve);
        device.conv2dBackwardData(weights, gradient, g.options(), dx, &reserve);
        return {fromDevice(device, y), fromDevice(device, dw), fromDevice(device, dx)};
    }

    static void expectNear(const char* pass, const Array& got, const Array& exact, DType dtype, double share) {
        EXPECT_TRUE(isNear(got, exact, dtype, share)) << pass;
        if (dtype == DType::Float32 && exact.count() >= kEnoughForAnRms) {
            EXPECT_TRUE(isNearInL2(got, exact, kConvolutionRms)) << pass;
        }
    }

    static double forwardShare(std::int64_t terms) { return std::max(kFftElement, sumTolerance(terms)); }
    double gradientShare(DType dtype, std::int64_t terms) const {
        const double gradient = std::string(GetParam()) == "direct" ? kFftElement : fftGradientElement(dtype);
        return std::max(gradient, sumTolerance(terms));
    }

private:
    std::map<int, std::shared_ptr<backend::Backend>> m_teams;
};

TEST_P(GeometryClasses, EveryPassMatchesTheDoubleReferenceAndOneThreadToTheBit) {
    const std::vector<GeometryCase> cases = everyPairOfClasses();
    for (std::size_t index = 0; index < cases.size(); index += kEvery) {
        const GeometryCase& one = cases[index];
        // A case has the same numbers whether or not others are left out: with one tap and one channel, a bias that
        // cancels nearly all of the sum leaves a result much smaller than what the transforms round.
        std::uint64_t seed = 4 * index;
        const Geometry& g = one.geometry;
        SCOPED_TRACE(g.text() + ", " + std::string(nameOf(one.dtype)));
        const auto drawn = [&](const Shape& shape, double low) {
            return rounded(one.dtype, RandomNumbers(++seed).array(shape, low, 1.0));
        };
        const Array x = drawn(g.x(), -0.5), w = drawn(g.w(), -1.0), b = drawn({g.filters}, -1.0);
        const Array dy = drawn(g.y(), -1.0);
        const Results got = run(team(1), one, x, w, b, dy), other = run(team(one.threads), one, x, w, b, dy);
        EXPECT_TRUE(sameBits(other.y, got.y)) << one.threads << " threads";
        EXPECT_TRUE(sameBits(other.dw, got.dw)) << one.threads << " threads";
        EXPECT_TRUE(sameBits(other.dx, got.dx)) << one.threads << " threads";

        expectNear("forward", got.y, conv2dBiasRelu(x, w, b, g.stride, g.padding), one.dtype,
                   forwardShare(g.taps() * g.channels));
        expectNear("backward weights", got.dw, conv2dBackwardWeights(x, dy, g.stride, g.w(), g.padding), one.dtype,
                   gradientShare(one.dtype, g.y().count() / g.filters));
        expectNear("backward data", got.dx, conv2dBackwardData(w, dy, g.stride, g.x(), g.padding), one.dtype,
                   gradientShare(one.dtype, g.taps() * g.filters));
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, GeometryClasses, testing::Values("auto", "fft", "direct"),
                         [](const auto& method) { return method.param; });

TEST(GeometryClasses, HoldWhatAUserCanChoose) {
    std::set<std::int64_t> kernels, channels, filters, batches, heights;
    std::set<std::string> pairs;
    for (const GeometryCase& one : everyPairOfClasses()) {
        const Geometry& g = one.geometry;
        kernels.insert(g.kernel);
        channels.insert(g.channels);
        filters.insert(g.filters);
        batches.insert(g.batch);
        heights.insert(g.height);
        pairs.insert(std::to_string(g.channels) + " to " + std::to_string(g.filters));
    }
    EXPECT_EQ(kernels.size(), 11u);
    EXPECT_EQ(*channels.rbegin(), 130);
    EXPECT_EQ(*filters.rbegin(), 130);
    EXPECT_EQ(*batches.rbegin(), 65);
    EXPECT_EQ(*heights.rbegin(), 75);
    EXPECT_EQ(pairs.size(), channels.size() * filters.size());
}

} // namespace
} // namespace halfstep::support
