#include "engine/tensor/error.h"
#include "engine/train/resume_checks.h"
#include "engine/train/training_state.h"
#include "tests/engine/train/made_dataset.h"
#include "tests/engine/train/watched_run.h"
#include <gmock/gmock.h>

namespace halfstep::tests {
namespace {
using testing::HasSubstr;
using train::Checkpoint;

/// 21 pictures in batches of 8: three steps an epoch.
class ResumeChecks : public testing::Test {
protected:
    ResumeChecks() {
        checkpoint.folder = "ck/step-000004";
        checkpoint.state = {.run = 5,
                            .classes = {"left", "right"},
                            .position = {.step = 4, .epoch = 2, .batches = 1, .photographs = 8}};
        train::TrainingState::forTrying(config, 2).putInto(checkpoint);
    }

    std::string refusal() const {
        try {
            train::requireFitting(checkpoint, config, *dataset, plan);
        } catch (const DataError& error) {
            return error.what();
        }
        return "nothing was refused";
    }

    std::string ending() const {
        try {
            train::requireSomethingLeft(checkpoint.state, config, plan);
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "something is left";
    }

    values::ExperimentConfig config = smallConfig();
    std::shared_ptr<const data::Dataset> dataset = madeDataset(21, 10, 16);
    values::RunPlan plan{.stepsPerEpoch = 3, .totalSteps = 6, .epochs = 2, .validationBatches = 2};
    Checkpoint checkpoint;
};

TEST_F(ResumeChecks, TheRunsOwnCheckpointFits) {
    EXPECT_EQ(refusal(), "nothing was refused");
    checkpoint.state.position = {.step = 3, .epoch = 1, .batches = 3, .photographs = 21};
    EXPECT_EQ(refusal(), "nothing was refused") << "the whole epoch, not validated";
    checkpoint.state.position = {.step = 6, .epoch = 3};
    EXPECT_EQ(refusal(), "nothing was refused");
}

TEST_F(ResumeChecks, AnotherSetIsRefused) {
    checkpoint.state.classes = {"left", "up"};
    EXPECT_THAT(refusal(), testing::AllOf(HasSubstr("left, right"), HasSubstr("left, up")));
    checkpoint.state.classes = {"left", "right", "up"};
    EXPECT_THAT(refusal(), HasSubstr("has 2 classes, and the run began with 3"));
    checkpoint.state.classes = {"left", "right"};
    checkpoint.state.dataFingerprint = "abc";
    EXPECT_THAT(refusal(), HasSubstr("(abc)"));
}

TEST_F(ResumeChecks, APositionThatThePlanDoesNotHaveIsRefused) {
    for (const train::RunPosition& wrong : {train::RunPosition{.step = 5, .epoch = 2, .batches = 1, .photographs = 8},
                                            {.step = 4, .epoch = 2, .batches = 1, .photographs = 9},
                                            {.step = 7, .epoch = 2, .batches = 4, .photographs = 32}}) {
        checkpoint.state.position = wrong;
        EXPECT_THAT(refusal(), HasSubstr("does not fit 3 steps an epoch")) << wrong.step;
    }
}

TEST_F(ResumeChecks, AnotherNetworkOrOptimizerIsRefused) {
    checkpoint.weights.front().shape = {3, 3, 3, 32};
    EXPECT_THAT(refusal(), testing::AllOf(HasSubstr("ck/step-000004/weights.safetensors"),
                                          HasSubstr("[3, 3, 3, 32], expected [5, 5, 3, 32]")));
    checkpoint.weights.front().shape = {5, 5, 3, 32};
    checkpoint.optimizer.pop_back();
    EXPECT_THAT(refusal(),
                testing::AllOf(HasSubstr("optimizer.safetensors"), HasSubstr("lack \"adam_v/dense/bias\"")));
}

TEST_F(ResumeChecks, ALossScaleThatTheSettingsDoNotHaveIsRefused) {
    checkpoint.state.lossScaler.emplace();
    EXPECT_THAT(refusal(), HasSubstr("loss scale"));
}

TEST_F(ResumeChecks, ARunThatHasDoneAllItsStepsHasNothingLeft) {
    EXPECT_EQ(ending(), "something is left");
    checkpoint.state.position = {.step = 6, .epoch = 2, .batches = 3, .photographs = 21};
    EXPECT_EQ(ending(), "something is left") << "the validation";
    checkpoint.state.position = {.step = 6, .epoch = 3};
    EXPECT_THAT(ending(), HasSubstr("nothing is left"));
    plan.totalSteps = 4;
    checkpoint.state.position = {.step = 4, .epoch = 2, .batches = 1, .photographs = 8};
    EXPECT_THAT(ending(), HasSubstr("nothing is left"));
}

TEST_F(ResumeChecks, ARunThatEarlyStoppingEndedHasNothingLeft) {
    config.earlyStoppingPatience = 2;
    checkpoint.state.best = {.epoch = 1, .step = 3, .loss = 1, .epochsWithoutBetter = 2};
    checkpoint.state.position = {.step = 3, .epoch = 2};
    EXPECT_THAT(ending(), HasSubstr("early stopping"));
}

} // namespace
} // namespace halfstep::tests
