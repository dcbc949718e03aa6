#include "tests/engine/numerics/random/random_tensors.h"
#include "tests/support/bounds.h"
#include "tests/support/convolution_oracle.h"
#include "tests/support/tolerance.h"
#include <algorithm>
#include <cmath>
#include <sstream>

namespace halfstep::support {
namespace {

/// Sizes of one convolution, shrunk where the oracle would be slow.
struct Geometry {
    std::int64_t batch, height, width, channels, filters, kernel;
    int stride;

    explicit Geometry(RandomCase& random)
        : batch(random.between(1, 5)),
          height(random.between(1, 13)),
          width(random.between(1, 17)),
          channels(random.between(1, 67)),
          filters(random.between(1, 67)),
          kernel(random.between(1, 11)),
          stride(static_cast<int>(random.between(1, 2))) {
        constexpr std::int64_t kMostProducts = 400'000;
        for (std::int64_t* size : {&filters, &channels, &batch, &filters, &channels, &height, &width}) {
            while (products() > kMostProducts && *size > 2) {
                *size = (*size + 1) / 2;
            }
        }
    }
    Shape x() const { return {batch, height, width, channels}; }
    Shape w() const { return {kernel, kernel, channels, filters}; }
    Shape y() const { return {batch, (height + stride - 1) / stride, (width + stride - 1) / stride, filters}; }
    std::int64_t products() const { return y().count() * kernel * kernel * channels; }
};

bool isFinite(const Array& array) {
    return std::all_of(array.values.begin(), array.values.end(), [](double value) { return std::isfinite(value); });
}

class RandomConvolutions : public RandomTensors {
protected:
    /// Draws a geometry and the kinds of two operands for each of the test's cases.
    template <class Body>
    void forEveryCase(std::uint64_t firstSeed, const Body& body) const {
        for (std::uint64_t seed = firstSeed; seed < firstSeed + kCases; ++seed) {
            RandomCase random(dtype(), seed);
            const Geometry geometry(random);
            const Values first = random.kind(), second = random.kind();
            std::ostringstream text;
            text << "seed " << seed << ", x " << geometry.x().text() << ", w " << geometry.w().text() << ", stride "
                 << geometry.stride << ", " << nameOf(first) << " and " << nameOf(second);
            SCOPED_TRACE(text.str());
            body(random, geometry, first, second);
        }
    }
};

TEST_P(RandomConvolutions, ForwardIsRight) {
    forEveryCase(1001, [this](RandomCase& random, const Geometry& g, Values first, Values second) {
        const Array x = random.tensor(g.x(), first), w = random.tensor(g.w(), second);
        const Array b = random.tensor({g.filters}, random.kind());
        backend::Backend& device = RandomCase::device(random.between(0, 3));
        const tensor::Tensor y = device.allocate(dtype(), g.y());
        device.conv2dBiasRelu(onDevice(device, dtype(), x), onDevice(device, dtype(), w),
                              onDevice(device, dtype(), b), {g.stride}, y);
        Array exact = conv2dBias(x, w, b, g.stride);
        for (double& value : exact.values) {
            value = value < 0 ? 0.0 : value; // NaN stays
        }
        const std::int64_t terms = g.kernel * g.kernel * g.channels + 1;
        EXPECT_TRUE(isWithin(fromDevice(device, y),
                             {exact, conv2dBias(sizesOf(x), sizesOf(w), sizesOf(b), g.stride), sumTolerance(terms),
                              terms, 1, !isFinite(w)},
                             dtype()));
    });
}

TEST_P(RandomConvolutions, BackwardWeightsIsRight) {
    forEveryCase(2001, [this](RandomCase& random, const Geometry& g, Values first, Values second) {
        const Array x = random.tensor(g.x(), first), dy = random.tensor(g.y(), second);
        backend::Backend& device = RandomCase::device(random.between(0, 3));
        const tensor::Tensor dw = onDevice(device, dtype(), filled(g.w(), 7.0)); // must be overwritten
        device.conv2dBackwardWeights(onDevice(device, dtype(), x), onDevice(device, dtype(), dy), {g.stride}, dw);
        const std::int64_t terms = g.y().count() / g.filters;
        EXPECT_TRUE(isWithin(fromDevice(device, dw),
                             {conv2dBackwardWeights(x, dy, g.stride, g.kernel),
                              conv2dBackwardWeights(sizesOf(x), sizesOf(dy), g.stride, g.kernel), sumTolerance(terms),
                              terms, 1, !isFinite(dy)},
                             dtype()));
    });
}

TEST_P(RandomConvolutions, BackwardDataIsRight) {
    forEveryCase(3001, [this](RandomCase& random, const Geometry& g, Values first, Values second) {
        const Array w = random.tensor(g.w(), first), dy = random.tensor(g.y(), second);
        backend::Backend& device = RandomCase::device(random.between(0, 3));
        const tensor::Tensor dx = onDevice(device, dtype(), filled(g.x(), 7.0));
        device.conv2dBackwardData(onDevice(device, dtype(), w), onDevice(device, dtype(), dy), {g.stride}, dx);
        const std::int64_t terms = g.kernel * g.kernel * g.filters;
        EXPECT_TRUE(isWithin(fromDevice(device, dx),
                             {conv2dBackwardData(w, dy, g.stride, g.x()),
                              conv2dBackwardData(sizesOf(w), sizesOf(dy), g.stride, g.x()), sumTolerance(terms),
                              terms, 1, !isFinite(w)},
                             dtype()));
    });
}

TEST_P(RandomConvolutions, BiasReluBackwardIsRight) {
    forEveryCase(4001, [this](RandomCase& random, const Geometry& g, Values first, Values second) {
        const Array y = random.tensor(g.y(), first), dy = random.tensor(g.y(), second);
        const BiasReluGradients exact = biasReluBackward(y, dy);
        backend::Backend& device = RandomCase::device(random.between(0, 3));
        const tensor::Tensor gradient = onDevice(device, dtype(), dy);
        const tensor::Tensor db = device.allocate(dtype(), {g.filters});
        device.biasReluBackward(onDevice(device, dtype(), y), gradient, db);
        EXPECT_TRUE(isExactly(fromDevice(device, gradient), exact.dy));
        const std::int64_t terms = g.y().count() / g.filters;
        const Array sizes = biasReluBackward(y, sizesOf(dy)).db;
        EXPECT_TRUE(isWithin(fromDevice(device, db), {exact.db, sizes, sumTolerance(terms), terms}, dtype()));
    });
}

INSTANTIATE_TEST_SUITE_P(Cpu, RandomConvolutions, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
