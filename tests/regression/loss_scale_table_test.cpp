// Case A04: the loss scale follows a stated rule to the step.
//
// Ours is Keras 2's, with a floor of 1 and no growth past the largest power of two of float32, also where it starts
// from PyTorch's defaults: PyTorch has no floor (its scale is 0 after 166 overflows), Keras 3 neither floor nor cap.
#include "engine/precision/loss_scaler.h"
#include "tests/support/csv_table.h"
#include <algorithm>
#include <gtest/gtest.h>

namespace halfstep::support {
namespace {
using precision::LossScaler;
using precision::LossScaleRule;

struct Columns {
    LossScaleRule rule;
    const char* scale;
    const char* streak;
};

class LossScaleTable : public testing::TestWithParam<Columns> {};

TEST_P(LossScaleTable, EveryStepOfEveryPatternIsTheRules) {
    const CsvTable table("regression/tables/loss_scale_sequences.csv");
    LossScaler scaler;
    std::int64_t steps = 0;
    std::int64_t applied = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::string& scenario = table.text(row, "scenario");
        if (row == 0 || scenario != table.text(row - 1, "scenario")) {
            precision::LossScalerOptions options = precision::defaultsOf(GetParam().rule);
            options.growthInterval = static_cast<std::int64_t>(table.number(row, "growth_steps"));
            scaler = LossScaler(options);
            steps = applied = 0;
        }
        // The table leaves out steps: those before a row are like the row's.
        const bool finite = table.number(row, "this_step_finite") == 1;
        for (; steps < static_cast<std::int64_t>(table.number(row, "after_step")); ++steps) {
            scaler.update(finite);
            applied += finite ? 1 : 0;
        }
        SCOPED_TRACE(scenario + ", step " + std::to_string(steps));
        EXPECT_EQ(scaler.scale(), std::max(table.number(row, GetParam().scale), 1.0));
        EXPECT_EQ(scaler.finiteStreak(), static_cast<std::int64_t>(table.number(row, GetParam().streak)));
        EXPECT_EQ(applied, static_cast<std::int64_t>(table.number(row, "optimizer_iterations")));
        EXPECT_EQ(scaler.skippedSteps(), steps - applied);
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, LossScaleTable,
                         testing::Values(Columns{LossScaleRule::Keras, "keras2_scale", "keras2_good_steps"},
                                         Columns{LossScaleRule::PyTorch, "torch_scale", "torch_growth_tracker"}),
                         [](const testing::TestParamInfo<Columns>& columns) {
                             return std::string(precision::nameOf(columns.param.rule));
                         });

TEST(LossScaleTableOfKeras, NeedsNoFloorOfOurs) {
    const CsvTable table("regression/tables/loss_scale_sequences.csv");
    for (std::size_t row = 0; row < table.rows(); ++row) {
        EXPECT_GE(table.number(row, "keras2_scale"), 1.0) << row;
    }
}

} // namespace
} // namespace halfstep::support
