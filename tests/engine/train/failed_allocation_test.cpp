// Memory that is not given on the way, at every phase of a run (case D01).
#include "engine/backend/backend.h"
#include "engine/tensor/error.h"
#include "engine/train/conduct_run.h"
#include "engine/train/memory_plan.h"
#include "tests/engine/train/made_dataset.h"
#include "tests/engine/train/watched_run.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/watched_device.h"
#include <gmock/gmock.h>
#include <new>
#include <ostream>

namespace halfstep::train {
namespace {
using testing::AllOf;
using testing::HasSubstr;
using values::RunStatus;

constexpr const char* kReason = "a tensor wants 3.0 MiB, of which only 1.0 MiB are free";

/// Where the allocation fails: in a verb, after so many steps.
struct Failure {
    const char* name;
    const char* verb;
    int afterSteps;
    const char* where; ///< as the sentence says it
};

/// As a test names it, without the addresses of its texts.
void PrintTo(const Failure& failure, std::ostream* stream) {
    *stream << failure.name;
}

class FailedAllocationIn : public testing::TestWithParam<Failure> {
protected:
    /// A run whose device throws `error` in the verb; to its end, which is an OutOfMemoryError with this text.
    template <typename Error>
    std::string messageOfRun(const Error& error) {
        const std::shared_ptr<backend::Backend> watched = support::watchedDevice(device, [&](std::string_view verb) {
            if (steps.size() >= static_cast<std::size_t>(GetParam().afterSteps) && verb == GetParam().verb) {
                throw error;
            }
        });
        store::RunStore store(history);
        RunOutcome outcome = outcomeToBe(config, *watched, *dataset);
        const std::int64_t run = store.begin(outcome.config, outcome.environment, "made");
        try {
            conduct({.device = watched,
                     .dataset = dataset,
                     .store = std::move(store),
                     .start = {.run = run},
                     .outcome = std::move(outcome)},
                    {.historyFile = history},
                    [this](const values::RunEvent& event) {
                        if (const auto* step = std::get_if<values::StepRecord>(&event)) {
                            steps.push_back(*step);
                        }
                    },
                    {});
        } catch (const OutOfMemoryError& trouble) {
            return trouble.what();
        }
        return "the run ended without a trouble";
    }

    std::vector<double> lossesOn(const std::shared_ptr<backend::Backend>& of) const {
        std::vector<double> losses;
        Trainer(tests::smallConfig(), dataset, of)
            .run(
                [&](const values::RunEvent& event) {
                    if (const auto* step = std::get_if<values::StepRecord>(&event)) {
                        losses.push_back(step->loss);
                    }
                },
                {});
        return losses;
    }

    values::ExperimentConfig config = tests::smallConfig(precision::Policy::MixedFloat16);
    std::shared_ptr<const data::Dataset> dataset = tests::madeDataset(21, 10, 16);
    std::shared_ptr<backend::Backend> device = backend::makeBackend({.threads = 2});
    support::TemporaryFolder folder;
    std::filesystem::path history = folder.path() / "runs.sqlite";
    std::vector<values::StepRecord> steps;
};

TEST_P(FailedAllocationIn, EndsTheRunWithASentenceThatSaysWhereAndWhatWasWanted) {
    const std::string message = messageOfRun(OutOfMemoryError(kReason, "Buy more."));
    EXPECT_THAT(message, AllOf(HasSubstr(GetParam().where), HasSubstr("batches of 8 images of 16 x 16 pixels"),
                               HasSubstr(kReason), testing::Not(HasSubstr("Buy more")), testing::EndsWith(".")));
}

TEST_P(FailedAllocationIn, IsToldLikewiseWhereNobodyKnowsWhatWasWanted) {
    const std::string message = messageOfRun(std::bad_alloc());
    EXPECT_THAT(message, AllOf(HasSubstr(GetParam().where), HasSubstr("batches of 8 images of 16 x 16 pixels"),
                               HasSubstr("the system gives no more memory"), HasSubstr("are free now"),
                               testing::Not(HasSubstr("bad_alloc"))));
}

TEST_P(FailedAllocationIn, LeavesAFailedRunWithItsStepsInTheHistory) {
    const std::string message = messageOfRun(std::bad_alloc());
    const store::RunStore store(history);
    const auto run = store.run(1);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->status, RunStatus::Failed);
    EXPECT_EQ(run->message, message);
    EXPECT_FALSE(run->endedAt.empty());
    EXPECT_EQ(steps.size(), static_cast<std::size_t>(GetParam().afterSteps));
    EXPECT_EQ(store.steps(1), steps);
}

TEST_P(FailedAllocationIn, GivesTheMemoryBackAndTheNextRunIsAsInAFreshProcess) {
    const auto fresh = backend::makeBackend({.threads = 2});
    const std::vector<double> expected = lossesOn(fresh);
    messageOfRun(OutOfMemoryError(kReason, ""));
    const std::uint64_t workspace = predictMemory(planOf(config, 2), *device).workspace;
    EXPECT_LE(device->heldBytes(), workspace) << "scratch memory is the device's own and stays";
    EXPECT_EQ(lossesOn(device), expected);
    EXPECT_EQ(device.use_count(), 1) << "nobody holds on to the device";
}

INSTANTIATE_TEST_SUITE_P(
    EveryPhase, FailedAllocationIn,
    testing::Values(Failure{"Network", "allocate", 0, "before the first step"},
                    Failure{"FirstWeights", "upload", 0, "before the first step"},
                    Failure{"Upload", "normalizeImages", 1, "at the upload of the batch of step 2"},
                    Failure{"Forward", "batchNormTrain", 1, "in the forward pass of step 2"},
                    Failure{"Workspace", "conv2dBiasRelu", 0, "in the forward pass of step 1"},
                    Failure{"Loss", "softmaxCrossEntropy", 2, "in the forward pass of step 3"},
                    Failure{"Backward", "conv2dBackwardWeights", 1, "in the backward pass of step 2"},
                    Failure{"Gradients", "unscale", 1, "in the optimizer's update of step 2"},
                    Failure{"Optimizer", "adam", 1, "in the optimizer's update of step 2"},
                    Failure{"Validation", "batchNormInference", 3, "in the validation after step 3"},
                    Failure{"FinalWeights", "download", 6, "at the copy of the weights after step 6"}),
    [](const auto& failure) { return failure.param.name; });

TEST(FailedAllocation, OfScratchMemoryBeyondTheLimitNamesItsBytesAndABatchThatFits) {
    values::ExperimentConfig config = tests::smallConfig();
    config.imageSize = 64;
    config.batchSize = 64;
    const TrainingPlan plan = planOf(config, 2);
    const auto free = backend::makeBackend({.threads = 2});
    const PredictedMemory need = predictMemory(plan, *free);
    ASSERT_GT(need.workspace + need.reserve, 0U);
    // Enough for the tensors, not for the convolutions: a run that nobody asked before (requireMemory).
    const auto device =
        backend::makeBackend({.threads = 2, .memoryLimitBytes = need.peak - need.workspace - need.reserve + 1024});
    try {
        Trainer(config, tests::madeDataset(64, 1, 64), device).run([](const values::RunEvent&) {}, {});
        FAIL() << "there was room";
    } catch (const OutOfMemoryError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("in the forward pass of step 1"), HasSubstr("wants"),
                                        HasSubstr("of the limit of"), HasSubstr("are free")));
        const std::string sentence = error.what();
        EXPECT_THAT(sentence, testing::ContainsRegex("A batch of [1-6][0-9] takes no more than was given"));
    }
    EXPECT_LE(device->heldBytes(), need.workspace);
}

} // namespace
} // namespace halfstep::train
