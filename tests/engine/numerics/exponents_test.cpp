#include "tests/engine/numerics/every_backend.h"
#include "tests/support/device_arrays.h"
#include "tests/support/random_numbers.h"
#include "tests/support/rounding.h"
#include <cmath>
#include <limits>

namespace halfstep::support {
namespace {
using tensor::ExponentHistogram;

/// By the definition, in double.
ExponentHistogram histogramOf(const Array& x) {
    ExponentHistogram histogram;
    for (const double value : x.values) {
        if (std::isnan(value)) {
            ++histogram.nans;
        } else if (std::isinf(value)) {
            ++histogram.infinities;
        } else if (value == 0) {
            ++histogram.zeros;
        } else {
            ++histogram.at(std::ilogb(value));
            histogram.largest = std::max(histogram.largest, std::abs(value));
        }
    }
    return histogram;
}

class Exponents : public EveryBackend {
protected:
    void expectRight(const Array& x) const {
        for (const int threads : {1, 3}) {
            const auto backend = makeTestBackend(threads);
            EXPECT_EQ(backend->exponents(onDevice(*backend, dtype(), x)), histogramOf(x)) << x.shape.text();
        }
    }
};

TEST_P(Exponents, AreCountedAsTheDefinitionSays) {
    for (const std::int64_t count : {1, 3, 8, 67, 1023, 1025, 100352}) {
        RandomNumbers numbers(static_cast<std::uint64_t>(count));
        Array x = numbers.array({count}, -1.0, 1.0);
        for (std::int64_t i = 0; i < count; ++i) { // magnitudes over all of the format's exponents
            x[i] = roundTo(dtype(), std::ldexp(x[i], static_cast<int>(i % 300) - 160));
        }
        expectRight(x);
    }
}

TEST_P(Exponents, EveryKindOfNumberIsToldApartAnywhere) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double value : {0.0, -0.0, 1.0, -2.0, smallestOf(dtype()), -smallestOf(dtype()), largestOf(dtype()),
                               infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
        for (const std::int64_t position : {0, 6, 7, 8, 20}) {
            Array x = filled({21}, 0.75);
            x[position] = value;
            expectRight(x);
        }
    }
}

TEST_P(Exponents, ZerosOfALargeTensorAreAllCounted) {
    Array x = zeros({100001});
    x[50000] = 3;
    expectRight(x);
}

INSTANTIATE_TEST_SUITE_P(Cpu, Exponents, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
