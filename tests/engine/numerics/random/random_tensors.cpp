#include "tests/engine/numerics/random/random_tensors.h"
#include "tests/support/rounding.h"
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace halfstep::support {
namespace {

std::int64_t g_drawn = 0; // of a test program that has one thread

/// The exponents of Values::Wide.
std::array<int, 2> wideExponents(DType dtype) {
    return dtype == DType::Float16 ? std::array{-24, 15} : std::array{-60, 60};
}

} // namespace

std::string_view nameOf(Values values) {
    constexpr std::array<std::string_view, 5> kNames{"ordinary", "tiny", "wide", "sprinkled", "patterns"};
    return kNames[static_cast<std::size_t>(values)];
}

std::int64_t RandomCase::between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(m_numbers.next() % static_cast<std::uint64_t>(high - low + 1));
}

Values RandomCase::kind() {
    return static_cast<Values>(between(0, 4));
}

Array RandomCase::tensor(DType dtype, const Shape& shape, Values values) {
    ++g_drawn;
    Array result = zeros(shape);
    for (double& value : result.values) {
        value = element(dtype, values);
    }
    if (values == Values::Sprinkled) { // at least one, also in a small tensor
        result[between(0, shape.count() - 1)] = special(dtype);
    }
    return result;
}

Array RandomCase::uniform(const Shape& shape, double low, double high) {
    return uniform(m_dtype, shape, low, high);
}

Array RandomCase::uniform(DType dtype, const Shape& shape, double low, double high) {
    ++g_drawn;
    return rounded(dtype, m_numbers.array(shape, low, high));
}

double RandomCase::element(DType dtype, Values values) {
    const double sign = m_numbers.next() % 2 == 0 ? 1.0 : -1.0;
    const double ordinary = roundTo(dtype, m_numbers.between(-1.0, 1.0));
    switch (values) {
    case Values::Ordinary:
        return ordinary;
    case Values::Tiny:
        return sign * static_cast<double>(between(0, dtype == DType::BFloat16 ? 255 : 2047)) * smallestOf(dtype);
    case Values::Wide: {
        const auto [low, high] = wideExponents(dtype);
        return roundTo(dtype, std::ldexp(ordinary, static_cast<int>(between(low, high))));
    }
    case Values::Sprinkled:
        return between(0, 15) == 0 ? special(dtype) : ordinary;
    case Values::Patterns:
        break;
    }
    const std::uint64_t bits = m_numbers.next();
    return dtype == DType::Float32 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                                   : valueOfBits(dtype, static_cast<std::uint16_t>(bits));
}

double RandomCase::special(DType dtype) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::array kinds{std::numeric_limits<double>::quiet_NaN(), kInfinity, 0.0, smallestOf(dtype),
                           largestOf(dtype)};
    const double sign = m_numbers.next() % 2 == 0 ? 1.0 : -1.0;
    return sign * kinds[static_cast<std::size_t>(between(0, std::ssize(kinds) - 1))];
}

backend::Backend& RandomCase::device(std::int64_t turn) {
    static const std::array teams{makeTestBackend(1), makeTestBackend(2), makeTestBackend(3), makeTestBackend(5)};
    return *teams[static_cast<std::size_t>(turn) % teams.size()];
}

std::int64_t RandomCase::drawn() {
    return g_drawn;
}

namespace {

/// Says at the end how many tensors were drawn.
class TensorCount : public testing::Environment {
    void TearDown() override {
        std::printf("%lld random tensors\n", static_cast<long long>(RandomCase::drawn()));
        if (testing::GTEST_FLAG(filter) == "*") {
            EXPECT_GE(RandomCase::drawn(), 10'000);
        }
    }
};
const testing::Environment* const kTensorCount = testing::AddGlobalTestEnvironment(new TensorCount);

} // namespace
} // namespace halfstep::support
