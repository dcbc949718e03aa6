#include "tests/engine/numerics/random/random_tensors.h"
#include "tests/support/convolution_oracle.h"
#include "tests/support/tolerance.h"
#include <cmath>

namespace halfstep::support {
namespace {

/// The three passes of a convolution by a back end that takes an FFT wherever one fits.
class RandomFftConvolutions : public RandomTensors {
protected:
    struct Case {
        Shape x, w, y;
        int stride;
        Array input, weights, bias, gradient;
    };
    struct Results {
        Array y, dw, dx;
    };

    static Case draw(RandomCase& random, Values values) {
        const std::int64_t channels = 16 * random.between(1, 2), filters = 16 * random.between(1, 2);
        const std::int64_t kernel = random.between(2, 7);
        Case drawn;
        drawn.stride = static_cast<int>(random.between(1, 2));
        drawn.x = {random.between(1, 2), random.between(3, 13), random.between(3, 17), channels};
        drawn.w = {kernel, kernel, channels, filters};
        drawn.y = {drawn.x[0], (drawn.x[1] + drawn.stride - 1) / drawn.stride,
                   (drawn.x[2] + drawn.stride - 1) / drawn.stride, filters};
        drawn.input = random.tensor(drawn.x, values);
        drawn.weights = random.tensor(drawn.w, Values::Ordinary);
        drawn.bias = random.tensor({filters}, Values::Ordinary);
        drawn.gradient = random.tensor(drawn.y, values);
        return drawn;
    }

    Results run(const Case& drawn) const {
        const auto device = makeTestBackend(2, "fft");
        const auto on = [&](const Array& array) { return onDevice(*device, dtype(), array); };
        const tensor::Tensor y = device->allocate(dtype(), drawn.y), dw = device->allocate(dtype(), drawn.w);
        const tensor::Tensor dx = device->allocate(dtype(), drawn.x);
        device->conv2dBiasRelu(on(drawn.input), on(drawn.weights), on(drawn.bias), {drawn.stride}, y);
        device->conv2dBackwardWeights(on(drawn.input), on(drawn.gradient), {drawn.stride}, dw);
        device->conv2dBackwardData(on(drawn.weights), on(drawn.gradient), {drawn.stride}, dx);
        return {fromDevice(*device, y), fromDevice(*device, dw), fromDevice(*device, dx)};
    }

    static Results exact(const Case& drawn) {
        return {conv2dBiasRelu(drawn.input, drawn.weights, drawn.bias, drawn.stride),
                conv2dBackwardWeights(drawn.input, drawn.gradient, drawn.stride, drawn.w[0]),
                conv2dBackwardData(drawn.weights, drawn.gradient, drawn.stride, drawn.x)};
    }
};

TEST_P(RandomFftConvolutions, AreRight) {
    for (std::uint64_t seed = 16001; seed <= 16000 + kCases / 4; ++seed) {
        RandomCase random(dtype(), seed);
        const Case drawn = draw(random, Values::Ordinary);
        SCOPED_TRACE("seed " + std::to_string(seed) + ", x " + drawn.x.text() + ", w " + drawn.w.text());
        const Results got = run(drawn), right = exact(drawn);
        EXPECT_TRUE(isNear(got.y, right.y, dtype(), kFftElement));
        EXPECT_TRUE(isNear(got.dw, right.dw, dtype(), fftGradientElement(dtype())));
        EXPECT_TRUE(isNear(got.dx, right.dx, dtype(), fftGradientElement(dtype())));
    }
}

/// An FFT spreads an infinity or a NaN over its whole tile; what must not happen is that one is lost.
testing::AssertionResult showsWhatIsNotFinite(const Array& got, const Array& right) {
    for (std::int64_t i = 0; i < right.count(); ++i) {
        if (!std::isfinite(right[i]) && std::isfinite(got[i])) {
            return testing::AssertionFailure() << "element " << i << " is " << got[i] << ", exactly " << right[i];
        }
    }
    return testing::AssertionSuccess();
}

TEST_P(RandomFftConvolutions, LoseNothingThatIsNotFinite) {
    for (std::uint64_t seed = 17001; seed <= 17000 + kCases / 4; ++seed) {
        RandomCase random(dtype(), seed);
        const Case drawn = draw(random, Values::Sprinkled);
        SCOPED_TRACE("seed " + std::to_string(seed) + ", x " + drawn.x.text() + ", w " + drawn.w.text());
        const Results got = run(drawn), right = exact(drawn);
        EXPECT_TRUE(showsWhatIsNotFinite(got.y, right.y));
        EXPECT_TRUE(showsWhatIsNotFinite(got.dw, right.dw));
        EXPECT_TRUE(showsWhatIsNotFinite(got.dx, right.dx));
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, RandomFftConvolutions, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
