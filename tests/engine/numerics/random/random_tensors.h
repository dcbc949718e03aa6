#pragma once
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/device_arrays.h"
#include "tests/support/random_numbers.h"

namespace halfstep::support {

/// What the elements of a random tensor are like.
enum class Values {
    Ordinary,  ///< -1 to 1
    Tiny,      ///< subnormals of the dtype, and the smallest normal numbers
    Wide,      ///< of all sizes, but so that products of two stay finite in float32
    Sprinkled, ///< ordinary ones, and among them NaN, infinities, zeros of both signs, the smallest and largest
    Patterns,  ///< any bits
};
std::string_view nameOf(Values values);

/// One random case: sizes, elements and a back end from a seed.
class RandomCase {
public:
    RandomCase(DType dtype, std::uint64_t seed) : m_dtype(dtype), m_numbers(seed) {}

    /// Equally likely, both ends included.
    std::int64_t between(std::int64_t low, std::int64_t high);
    Values kind();

    /// Rounded to the dtype of the case.
    Array tensor(const Shape& shape, Values values) { return tensor(m_dtype, shape, values); }
    Array tensor(DType dtype, const Shape& shape, Values values);
    /// Of the case's dtype, from `low` to `high`.
    Array uniform(const Shape& shape, double low, double high);
    Array uniform(DType dtype, const Shape& shape, double low, double high);

    /// With 1, 2, 3 or 5 threads, kept from one case to the next.
    static backend::Backend& device(std::int64_t turn);

    /// Tensors drawn by all cases of this process.
    static std::int64_t drawn();

    DType dtype() const { return m_dtype; }

private:
    double element(DType dtype, Values values);
    double special(DType dtype);

    DType m_dtype;
    RandomNumbers m_numbers;
};

/// A verb in one storage dtype, tried on random tensors.
class RandomTensors : public testing::TestWithParam<DType> {
protected:
    /// For each of 3 dtypes: with the 47 operands of all verbs more than 10,000 tensors.
    static constexpr std::uint64_t kCases = 200;

    DType dtype() const { return GetParam(); }
};

} // namespace halfstep::support
