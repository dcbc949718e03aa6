#include "engine/tensor/error.h"
#include "engine/train/checkpoint_json.h"
#include "engine/values/json.h"
#include <bit>
#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace halfstep::train {
namespace {
using testing::HasSubstr;
using Json = nlohmann::ordered_json;

CheckpointState fullState() {
    CheckpointState state{.run = 7,
                          .halfstepVersion = "0.1.0",
                          .classes = {"tench", "Größe"},
                          .dataFingerprint = "abc",
                          .position = {.step = 123,
                                       .epoch = 4,
                                       .batches = 5,
                                       .photographs = 40,
                                       .correct = 17,
                                       .lossSum = 0.1 + 0.2,
                                       .seconds = 1.0 / 3},
                          .best = {.epoch = 3, .step = 90, .loss = 1e-300, .epochsWithoutBetter = 2},
                          .iterations = 120,
                          .lossScaler = precision::LossScaler::State{
                              .scale = 0x1p127, .finiteStreak = 1, .skippedSteps = 3, .skippedStreak = 0}};
    state.config.seed = std::numeric_limits<std::uint64_t>::max();
    state.config.learningRate = 5e-324;
    return state;
}

CheckpointState throughText(const CheckpointState& state) {
    return checkpointStateFrom(Json::parse(values::jsonText(toJson(state))));
}

TEST(CheckpointJson, EveryFieldComesBackToTheBit) {
    EXPECT_EQ(throughText(fullState()), fullState());
}

TEST(CheckpointJson, SumsThatAreNotFiniteComeBack) {
    CheckpointState state = fullState();
    state.position.lossSum = -std::numeric_limits<double>::infinity();
    EXPECT_EQ(throughText(state), state);
    state.position.lossSum = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(throughText(state).position.lossSum));
}

TEST(CheckpointJson, ARunWithoutLossScaleHasNone) {
    CheckpointState state = fullState();
    state.lossScaler.reset();
    EXPECT_EQ(throughText(state), state);
}

std::string refusalOf(const Json& json) {
    try {
        checkpointStateFrom(json);
    } catch (const DataError& error) {
        return error.what();
    }
    return "nothing was refused";
}

TEST(CheckpointJson, EveryFieldThatIsMissingOrOfAnotherKindIsNamed) {
    const Json whole = toJson(fullState());
    for (const auto& item : whole.items()) {
        Json without = whole;
        without.erase(item.key());
        EXPECT_THAT(refusalOf(without), HasSubstr("\"" + item.key() + "\""));
        Json other = whole;
        other[item.key()] = true;
        EXPECT_THAT(refusalOf(other), testing::Not(HasSubstr("nothing"))) << item.key();
    }
    for (const auto& item : whole["position"].items()) {
        Json without = whole;
        without["position"].erase(item.key());
        EXPECT_THAT(refusalOf(without), HasSubstr("\"" + item.key() + "\""));
    }
    Json negative = whole;
    negative["position"]["batches"] = -1;
    EXPECT_THAT(refusalOf(negative), HasSubstr("\"batches\""));
    EXPECT_THAT(refusalOf(Json::array()), HasSubstr("\"format\""));
}

TEST(CheckpointJson, ANewerFormatIsRefused) {
    Json newer = toJson(fullState());
    newer["format"] = kCheckpointFormat + 1;
    EXPECT_THAT(refusalOf(newer), HasSubstr("newer Halfstep"));
}

} // namespace
} // namespace halfstep::train
