#include "tests/engine/numerics/every_backend.h"
#include "tests/support/bounds.h"
#include "tests/support/device_arrays.h"
#include "tests/support/random_numbers.h"
#include "tests/support/rounding.h"
#include <bit>
#include <cmath>

namespace halfstep::support {
namespace {

Array vectorOf(std::vector<double> values) {
    return {{static_cast<std::int64_t>(values.size())}, std::move(values)};
}

/// Every value of `dtype` (of its 65,536 patterns), infinities and NaN included.
std::vector<double> everyValueOf(DType dtype) {
    std::vector<double> values;
    for (unsigned pattern = 0; pattern <= 0xFFFF; ++pattern) {
        values.push_back(valueOfBits(dtype, static_cast<std::uint16_t>(pattern)));
    }
    return values;
}

/// float32 values where rounding to `dtype` is hard: all of its values, the midpoints, and both neighbours of those.
std::vector<double> hardValuesFor(DType dtype) {
    std::vector<double> values = everyValueOf(dtype);
    for (std::uint16_t lower = 0; valueOfBits(dtype, lower) < largestOf(dtype); ++lower) {
        const auto upper = static_cast<std::uint16_t>(lower + 1);
        const auto midpoint = static_cast<float>((valueOfBits(dtype, lower) + valueOfBits(dtype, upper)) / 2);
        values.insert(values.end(), {midpoint, -midpoint, std::nextafter(midpoint, 0.0F),
                                     -std::nextafter(midpoint, static_cast<float>(largestOf(DType::Float32)))});
    }
    return values;
}

std::vector<double> randomPatterns(std::size_t count) {
    RandomNumbers numbers(7);
    std::vector<double> values(count);
    for (double& value : values) {
        value = std::bit_cast<float>(static_cast<std::uint32_t>(numbers.next()));
    }
    return values;
}

class Cast : public EveryBackend {
protected:
    /// Casts `values` of dtype `from` to the dtype of the test on every team.
    testing::AssertionResult casts(DType from, const std::vector<double>& values) const {
        const Array x = vectorOf(values);
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor y = device.allocate(dtype(), x.shape);
            device.cast(onDevice(device, from, x), y);
            return std::vector{fromDevice(device, y)};
        });
        return isExactly(result.front(), rounded(dtype(), x));
    }
};

TEST_P(Cast, FromFloat32RoundsEveryHardValueOnce) {
    for (const DType hardFor : {DType::Float16, DType::BFloat16}) {
        EXPECT_TRUE(casts(DType::Float32, hardValuesFor(hardFor))) << nameOf(hardFor);
    }
    EXPECT_TRUE(casts(DType::Float32, randomPatterns(100003)));
}

TEST_P(Cast, FromSixteenBitsIsRightForAllPatterns) {
    for (const DType from : {DType::Float16, DType::BFloat16}) {
        EXPECT_TRUE(casts(from, everyValueOf(from))) << nameOf(from);
    }
}

TEST_P(Cast, OddLengthsAreCastToTheLastElement) {
    const std::vector<double> hard = hardValuesFor(DType::Float16);
    for (std::ptrdiff_t length = 1; length <= 67; ++length) {
        const auto begin = hard.begin() + 0x3B00 + length;
        const Array values = vectorOf({begin, begin + length});
        for (const DType from : {DType::Float32, DType::Float16, DType::BFloat16}) {
            EXPECT_TRUE(casts(from, rounded(from, values).values)) << length << " from " << nameOf(from);
        }
    }
}

TEST_P(Cast, AllocatedMemoryIsZero) {
    const auto result = fromDevice(device(), device().allocate(dtype(), {1003}));
    EXPECT_TRUE(sameBits(result, zeros({1003})));
}

TEST_P(Cast, NormalizedImagesAreEveryByteOver255RoundedOnce) {
    for (const std::int64_t width : {1, 7, 67, 86, 1001}) {
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(width) * 3);
        Array expected = zeros({1, 1, width, 3});
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<std::uint8_t>(i * 7 + static_cast<std::size_t>(width)); // all values from 256 on
            expected.values[i] = roundTo(dtype(), roundTo(DType::Float32, bytes[i] / 255.0));
        }
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor y = device.allocate(dtype(), expected.shape);
            device.normalizeImages(bytes, y);
            return std::vector{fromDevice(device, y)};
        });
        EXPECT_TRUE(isExactly(result.front(), expected)) << width;
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, Cast, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
