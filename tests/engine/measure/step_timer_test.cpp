#include "engine/measure/step_timer.h"
#include <gmock/gmock.h>
#include <numeric>

namespace halfstep::measure {
namespace {

using testing::ElementsAre;

std::vector<std::string> namesOf(const StepTimer& timer) {
    std::vector<std::string> names;
    for (const StepTimer::Part& part : timer.parts()) {
        names.push_back(part.layer + " " + part.operation);
    }
    return names;
}

void step(StepTimer& timer, const std::vector<std::string>& operations) {
    timer.begin();
    for (const std::string& operation : operations) {
        timer.lap("layer", operation);
    }
    timer.end();
}

TEST(StepTimer, PartsStandInTheOrderOfTheStepAndOtherIsLast) {
    StepTimer timer;
    step(timer, {"a", "b", "c"});
    timer.keep();
    EXPECT_THAT(namesOf(timer), ElementsAre("layer a", "layer b", "layer c", "step other"));
}

TEST(StepTimer, AStepThatIsNotKeptLeavesNoSample) {
    StepTimer timer;
    for (int i = 0; i < 3; ++i) {
        step(timer, {"a", "b"});
        if (i != 1) {
            timer.keep();
        }
    }
    for (const StepTimer::Part& part : timer.parts()) {
        EXPECT_EQ(part.milliseconds.size(), 2U);
    }
}

TEST(StepTimer, APartThatOnlySomeStepsHaveIsNothingInTheOthers) {
    StepTimer timer;
    step(timer, {"a", "b"});
    timer.keep();
    step(timer, {"b", "late"});
    timer.keep();
    const std::vector<StepTimer::Part> parts = timer.parts();
    ASSERT_EQ(parts.size(), 4U);
    EXPECT_EQ(parts[0].milliseconds[1], 0);
    EXPECT_EQ(parts[2].operation, "late");
    EXPECT_THAT(parts[2].milliseconds, ElementsAre(0, testing::Ge(0.0)));
}

TEST(StepTimer, WhatIsDoneTwiceInAStepIsAddedUp) {
    StepTimer timer;
    step(timer, {"a", "b", "a"});
    timer.keep();
    EXPECT_THAT(namesOf(timer), ElementsAre("layer a", "layer b", "step other"));
}

TEST(StepTimer, TheSamplesOfAStepAddUpToIt) {
    StepTimer timer;
    timer.begin();
    timer.lap("layer", "a");
    timer.lap("layer", "b");
    const double total = timer.end();
    timer.keep();
    double sum = 0;
    for (const StepTimer::Part& part : timer.parts()) {
        sum += part.milliseconds.front();
    }
    EXPECT_NEAR(sum, total, 1e-9);
}

} // namespace
} // namespace halfstep::measure
