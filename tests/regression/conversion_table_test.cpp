// Case A01: rounding to 16 bits is to nearest, ties to even, with subnormals and the right overflow edge, on every
// instruction set, and also where somebody has switched subnormals off for speed.
#include "engine/tensor/half.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/csv_table.h"
#include "tests/support/device_arrays.h"
#include "tests/support/flush_to_zero.h"
#include "tests/support/rounding.h"
#include <bit>
#include <cmath>
#include <optional>

namespace halfstep::support {
namespace {

/// A 16-bit format, its table and its scalar conversions.
struct Format {
    DType dtype;
    const char* table;
    float (*toFloat)(std::uint16_t);
    std::uint16_t (*fromFloat)(float);
};

struct Row {
    float input;
    std::uint16_t bits;
};

std::vector<Row> rowsOf(const Format& format) {
    const CsvTable table(format.table);
    std::vector<Row> rows;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        const auto bitsIn = [&](const char* column) { return std::stoul(table.text(i, column), nullptr, 16); };
        rows.push_back({std::bit_cast<float>(static_cast<std::uint32_t>(bitsIn("input_bits_hex"))),
                        static_cast<std::uint16_t>(bitsIn("expected_bits_hex"))});
    }
    return rows;
}

/// Equal bits, or both NaN.
bool same(float a, float b) {
    return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

class ConversionTable : public testing::TestWithParam<std::tuple<Format, bool>> {
protected:
    const Format& format() const { return std::get<0>(GetParam()); }

    void SetUp() override {
        if (std::get<1>(GetParam())) {
            if (!FlushToZero::isKnown()) {
                GTEST_SKIP() << "this processor's switches for subnormals are not known";
            }
            m_flush.emplace();
        }
    }

    /// All values cast by the back end on `threads` threads.
    std::vector<float> cast(DType from, const std::vector<float>& values, DType to, int threads) const {
        const auto device = makeTestBackend(threads);
        const Shape shape{static_cast<std::int64_t>(values.size())};
        const tensor::Tensor x = device->allocate(from, shape);
        const tensor::Tensor y = device->allocate(to, shape);
        device->upload(values, x);
        device->cast(x, y);
        std::vector<float> result(values.size());
        device->download(y, result);
        return result;
    }

private:
    std::optional<FlushToZero> m_flush;
};

TEST_P(ConversionTable, HoldsForTheScalarConversions) {
    for (const Row& row : rowsOf(format())) {
        const float right = format().toFloat(row.bits);
        const std::uint16_t got = format().fromFloat(row.input);
        EXPECT_TRUE(std::isnan(right) ? std::isnan(format().toFloat(got)) : got == row.bits) << row.input;
        const double defined = valueOfBits(format().dtype, row.bits);
        EXPECT_TRUE(std::isnan(defined) ? std::isnan(right) : right == static_cast<float>(defined)) << row.bits;
    }
}

TEST_P(ConversionTable, HoldsForTheBackEndsCastBothWays) {
    // Every row at every place of a vector: 24 lanes and a tail of 5.
    std::vector<float> inputs;
    std::vector<float> right;
    for (std::size_t turn = 0; turn < 29; ++turn) {
        for (const Row& row : rowsOf(format())) {
            inputs.push_back(row.input);
            right.push_back(format().toFloat(row.bits));
        }
        inputs.push_back(0.0F);
        right.push_back(0.0F);
    }
    for (const int threads : {1, 3}) {
        const std::vector<float> narrow = cast(DType::Float32, inputs, format().dtype, threads);
        const std::vector<float> wide = cast(format().dtype, right, DType::Float32, threads);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            ASSERT_TRUE(same(narrow[i], right[i])) << inputs[i] << " became " << narrow[i] << ", not " << right[i];
            ASSERT_TRUE(same(wide[i], right[i])) << right[i] << " became " << wide[i];
        }
    }
}

TEST_P(ConversionTable, EveryPatternAndItsNeighboursRoundByTheDefinition) {
    std::vector<float> inputs;
    std::vector<float> right;
    for (unsigned pattern = 0; pattern <= 0xFFFF; ++pattern) {
        // Of float32: 4 patterns for each of the upper 16 bits, at, around and half-way between bfloat16's values.
        for (const std::uint32_t low : {0x0000u, 0x0001u, 0x7FFFu, 0x8000u, 0x8001u, 0x1000u}) {
            inputs.push_back(std::bit_cast<float>((pattern << 16) | low));
        }
    }
    {
        const std::vector<float> narrow = cast(DType::Float32, inputs, format().dtype, 2);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            ASSERT_TRUE(same(narrow[i], format().toFloat(format().fromFloat(inputs[i])))) << inputs[i];
        }
    }
    // The definition is in double, where nothing is flushed: not even float32's subnormals, if they are read as bits.
    for (const float input : inputs) {
        const auto magnitude = std::bit_cast<std::uint32_t>(input) & 0x7FFFFFFFu;
        const bool subnormal = magnitude < 0x00800000u;
        const double exact = subnormal ? std::copysign(magnitude * 0x1p-149, input) : static_cast<double>(input);
        const double defined = roundTo(format().dtype, exact);
        const std::uint16_t got = format().fromFloat(input);
        const double value = valueOfBits(format().dtype, got);
        ASSERT_TRUE(std::isnan(defined) ? std::isnan(value)
                                        : value == defined && std::signbit(value) == std::signbit(defined))
            << exact;
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, ConversionTable,
                         testing::Combine(testing::Values(Format{DType::Float16, "regression/tables/fp16_rne.csv",
                                                                 tensor::floatFromHalf, tensor::halfFromFloat},
                                                          Format{DType::BFloat16, "regression/tables/bf16_rne.csv",
                                                                 tensor::floatFromBfloat, tensor::bfloatFromFloat}),
                                          testing::Bool()),
                         [](const testing::TestParamInfo<ConversionTable::ParamType>& tested) {
                             return std::string(nameOf(std::get<0>(tested.param).dtype)) +
                                    (std::get<1>(tested.param) ? "_withSubnormalsFlushed" : "");
                         });

} // namespace
} // namespace halfstep::support
