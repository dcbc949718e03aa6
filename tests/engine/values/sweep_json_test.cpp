#include "engine/tensor/error.h"
#include "engine/values/sweep_json.h"
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace halfstep::values {
namespace {
using precision::Policy;
using testing::Contains;
using testing::Field;
using testing::IsEmpty;

TEST(SweepJson, SettingsComeBackAsTheyWere) {
    SweepConfig config;
    config.base.data = "photos";
    config.base.imageSize = 64;
    config.policies = {Policy::BFloat16, Policy::Float32};
    config.batchSizes = {8, 64};
    config.devices = {"cpu", "cuda:0"};
    config.isas = {"avx2", "sse4"};
    config.steps = 7;
    config.warmup = 0;
    config.repeats = 2;
    config.orderSeed = 18446744073709551615U;
    config.input = SweepInput::Synthetic;
    config.baseline = {.policy = Policy::BFloat16, .device = "cpu", .isa = "sse4"};
    EXPECT_EQ(sweepConfigFrom(toJson(config)), config);
    EXPECT_EQ(sweepConfigFrom(nlohmann::ordered_json::object()), SweepConfig{});
}

TEST(SweepJson, CellsAndRoundsComeBackAsTheyWere) {
    SweepCell cell{.key = {Policy::MixedFloat16, 16, "cpu", "avx2"},
                   .status = CellStatus::Oom,
                   .message = "Out of memory.",
                   .deviceText = "CPU AVX2, 2 threads",
                   .isa = "avx2",
                   .computedIn = "float32",
                   .predicted = PredictedMemory{1, 2, 3, 4, 5, 6, 20},
                   .freeBytes = 5,
                   .largestBatch = 0,
                   .convolutions = {{"conv2d", "forward", "direct"}}};
    EXPECT_EQ(sweepCellFrom(toJson(cell)), cell);
    const CellRound round{.round = 2,
                          .position = 3,
                          .startedAt = "2026-12-03T00:00:00Z",
                          .warmupMilliseconds = {3.5},
                          .stepMilliseconds = {1.25, 0.1},
                          .waitMilliseconds = {0, 1e-7},
                          .loss = 2.302585092994046,
                          .peakBytes = 1ULL << 40U,
                          .loadAverage = 0.25,
                          .clockMegahertz = {},
                          .otherShare = 0.5};
    EXPECT_EQ(cellRoundFrom(toJson(round)), round);
}

TEST(SweepConfig, CellsAreEveryCombinationInTheOrderOfATable) {
    SweepConfig config;
    config.policies = {Policy::Float32, Policy::MixedFloat16};
    config.batchSizes = {8, 16};
    const std::vector<CellKey> cells = cellsOf(config);
    ASSERT_EQ(cells.size(), 4U);
    EXPECT_EQ(cells[1], (CellKey{Policy::MixedFloat16, 8, "cpu", "auto"}));
    EXPECT_EQ(cells[2], (CellKey{Policy::Float32, 16, "cpu", "auto"}));
    EXPECT_EQ(experimentOf(config, cells[3]).batchSize, 16);
}

TEST(SweepConfig, WhatCannotWorkIsSaidAtItsList) {
    EXPECT_THAT(problemsOf(SweepConfig{}), IsEmpty());
    SweepConfig config;
    config.policies.clear();
    config.batchSizes = {8, 0, 8};
    config.steps = 0;
    const std::vector<FieldProblem> problems = problemsOf(config);
    for (const char* field : {"policies", "batch_sizes", "steps"}) {
        EXPECT_THAT(problems, Contains(Field(&FieldProblem::field, field)));
    }
    config = {};
    config.batchSizes = {0};
    EXPECT_THAT(problemsOf(config), Contains(Field(&FieldProblem::field, "batch_sizes")));
    config = {};
    config.base.imageSize = 1;
    EXPECT_EQ(problemsOf(config).size(), 1U) << "said once, not for every cell";
}

} // namespace
} // namespace halfstep::values
