#include "tests/engine/numerics/random/random_tensors.h"
#include "tests/support/bounds.h"
#include "tests/support/rounding.h"
#include <cmath>

namespace halfstep::support {
namespace {

/// Verbs that move or count elements: right to the bit.
class RandomConversions : public RandomTensors {};

TEST_P(RandomConversions, CastRoundsEveryElementOnce) {
    for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
        RandomCase random(dtype(), seed);
        const Values values = random.kind();
        const Array x = random.tensor({random.between(1, 67)}, values);
        backend::Backend& device = RandomCase::device(random.between(0, 3));
        for (const DType to : {DType::Float32, DType::Float16, DType::BFloat16}) {
            const tensor::Tensor y = device.allocate(to, x.shape);
            device.cast(onDevice(device, dtype(), x), y);
            EXPECT_TRUE(isExactly(fromDevice(device, y), rounded(to, x)))
                << "seed " << seed << ", " << nameOf(values) << ", to " << nameOf(to);
        }
    }
}

TEST_P(RandomConversions, UploadRoundsEveryFloat32OnceAndDownloadIsExact) {
    for (std::uint64_t seed = 501; seed <= 500 + kCases; ++seed) {
        RandomCase random(dtype(), seed);
        const Values values = random.kind();
        const Array x = random.tensor(DType::Float32, {random.between(1, 67)}, values);
        backend::Backend& device = RandomCase::device(random.between(0, 3));
        EXPECT_TRUE(isExactly(fromDevice(device, onDevice(device, dtype(), x)), rounded(dtype(), x)))
            << "seed " << seed << ", " << nameOf(values);
    }
}

TEST_P(RandomConversions, NormalizedImagesAreBytesOver255RoundedOnce) {
    for (std::uint64_t seed = 5001; seed <= 5000 + kCases; ++seed) {
        RandomCase random(dtype(), seed);
        const Shape shape{random.between(1, 5), random.between(1, 13), random.between(1, 17), 3};
        const Array numbers = random.uniform(DType::Float32, shape, 0.0, 255.999);
        std::vector<std::uint8_t> bytes;
        Array expected = zeros(shape);
        for (std::int64_t i = 0; i < shape.count(); ++i) {
            bytes.push_back(static_cast<std::uint8_t>(numbers[i]));
            expected[i] = roundTo(dtype(), roundTo(DType::Float32, bytes.back() / 255.0));
        }
        backend::Backend& device = RandomCase::device(random.between(0, 3));
        const tensor::Tensor y = device.allocate(dtype(), shape);
        device.normalizeImages(bytes, y);
        EXPECT_TRUE(isExactly(fromDevice(device, y), expected)) << "seed " << seed;
    }
}

TEST_P(RandomConversions, ExponentsAreCountedAsTheDefinitionSays) {
    for (std::uint64_t seed = 9001; seed <= 9000 + kCases; ++seed) {
        RandomCase random(dtype(), seed);
        const Values values = random.kind();
        const Array x = random.tensor({random.between(1, 67)}, values);
        tensor::ExponentHistogram expected;
        for (const double value : x.values) {
            if (std::isnan(value)) {
                ++expected.nans;
            } else if (std::isinf(value)) {
                ++expected.infinities;
            } else if (value == 0) {
                ++expected.zeros;
            } else {
                ++expected.at(std::ilogb(value));
                expected.largest = std::max(expected.largest, std::abs(value));
            }
        }
        backend::Backend& device = RandomCase::device(random.between(0, 3));
        EXPECT_EQ(device.exponents(onDevice(device, dtype(), x)), expected)
            << "seed " << seed << ", " << nameOf(values);
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, RandomConversions, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
