#include "engine/report/accuracy_table.h"
#include "tests/engine/report/made_sweep.h"
#include <gmock/gmock.h>

namespace halfstep::report {
namespace {
using precision::Policy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RunRecord runOf(Policy policy, std::uint64_t seed, double accuracy) {
    RunRecord record = madeRun();
    record.run.config.policy = policy;
    record.run.config.seed = seed;
    record.run.environment.dataFingerprint = "abc";
    record.run.environment.validationPictures = 400;
    record.run.lastEpoch->valAccuracy = accuracy;
    return record;
}

TEST(AccuracyTable, PoliciesAreComparedOverTheirSeeds) {
    const auto tables = accuracyTables({runOf(Policy::MixedFloat16, 1, 0.66), runOf(Policy::Float32, 1, 0.65),
                                        runOf(Policy::MixedFloat16, 2, 0.67), runOf(Policy::Float32, 2, 0.67)});
    ASSERT_EQ(tables.size(), 1U);
    EXPECT_EQ(tables[0].title, "Validation accuracy after epoch 2, batch 16, 256 pixels");
    ASSERT_EQ(tables[0].rows.size(), 2U);
    EXPECT_THAT(tables[0].rows[0], ElementsAre("float32", "1, 2", "66.0 %", "65.0 % to 67.0 %", "-", "-"));
    EXPECT_THAT(tables[0].rows[1],
                ElementsAre("mixed_float16", "1, 2", "66.5 %", "66.0 % to 67.0 %", "+0.5", HasSubstr(" to +")));
    EXPECT_THAT(tables[0].notes, ElementsAre(HasSubstr("mixed_float16 and float32 are not shown to be equivalent")));
    EXPECT_THAT(tables[0].notes[0], HasSubstr("over the seeds"));
}

TEST(AccuracyTable, OneSeedIsComparedOverThePictures) {
    const auto tables = accuracyTables({runOf(Policy::Float32, 1, 0.65), runOf(Policy::MixedFloat16, 1, 0.50)});
    ASSERT_EQ(tables.size(), 1U);
    EXPECT_THAT(tables[0].notes, ElementsAre(HasSubstr("points worse than float32. 95 % interval over the validation "
                                                       "pictures")));
}

TEST(AccuracyTable, WhatChangesNoNumberDoesNotKeepRunsApart) {
    RunRecord other = runOf(Policy::MixedFloat16, 1, 0.6);
    other.run.config.name = "another";
    other.run.config.threads = 7;
    other.run.config.checkpoint = "kept";
    other.run.config.data = "../elsewhere";
    EXPECT_EQ(accuracyTables({runOf(Policy::Float32, 1, 0.65), other}).size(), 1U);
}

TEST(AccuracyTable, RunsThatDifferInMoreAreNotCompared) {
    const RunRecord float32 = runOf(Policy::Float32, 1, 0.65);
    RunRecord rate = runOf(Policy::MixedFloat16, 1, 0.6), data = rate, epochs = rate, unvalidated = rate;
    rate.run.config.learningRate = 0.01;
    data.run.environment.dataFingerprint = "other";
    epochs.run.epochsDone = 1;
    unvalidated.run.lastEpoch->valAccuracy.reset();
    for (const RunRecord& other : {rate, data, epochs, unvalidated}) {
        EXPECT_THAT(accuracyTables({float32, other}), IsEmpty());
    }
    EXPECT_THAT(accuracyTables({float32, runOf(Policy::Float32, 2, 0.6)}), IsEmpty()) << "one policy";
}

TEST(AccuracyTable, TheSameSeedTwiceIsOneRun) {
    const auto tables = accuracyTables({runOf(Policy::Float32, 1, 0.65), runOf(Policy::Float32, 1, 0.65),
                                        runOf(Policy::MixedFloat16, 1, 0.65), runOf(Policy::MixedFloat16, 1, 0.65)});
    EXPECT_EQ(tables.at(0).rows[0][1], "1");
    EXPECT_THAT(tables.at(0).notes.at(0), HasSubstr("over the validation pictures"));
}

TEST(AccuracyTable, RunsOfAnOlderVersionWithOneSeedHaveNoInterval) {
    RunRecord one = runOf(Policy::Float32, 1, 0.65), two = runOf(Policy::MixedFloat16, 1, 0.65);
    one.run.environment.validationPictures = two.run.environment.validationPictures = 0;
    const auto tables = accuracyTables({one, two});
    EXPECT_EQ(tables.at(0).rows[1][5], "-");
    EXPECT_THAT(tables.at(0).notes, IsEmpty());
}

} // namespace
} // namespace halfstep::report
