#include "engine/store/safetensors.h"
#include "tests/app/workplace.h"
#include <algorithm>
#include <limits>

namespace halfstep::app {
namespace {
using store::SafetensorsArray;
using testing::AllOf;
using testing::HasSubstr;

/// The weights of a first run in "w", from which others start.
class WeightsContract : public Workplace {
protected:
    void makeWeights() {
        const Ended ended = run(smallRun({"--steps", "1", "--checkpoint", file("ck"), "--save-weights", file("w")}));
        ASSERT_EQ(ended.exitCode, 0) << ended.err;
        m_weights = store::readSafetensors(*this / "w");
    }

    SafetensorsArray& at(const std::string& name) {
        return *std::ranges::find(m_weights, name, &SafetensorsArray::name);
    }

    /// Writes the arrays as they are now and starts a run from them.
    void expectRefused(const std::string& says) {
        store::writeSafetensors(*this / "bad", m_weights);
        expectRefusedFile(says);
    }

    void expectRefusedFile(const std::string& says) {
        const Ended ended = run(smallRun({"--weights", file("bad"), "--steps", "1", "--checkpoint", file("ck2"),
                                          "--csv", file("bad.csv"), "--save-weights", file("out")}));
        EXPECT_EQ(ended.exitCode, 3) << ended.err;
        EXPECT_THAT(ended.err, AllOf(HasSubstr("halfstep: "), HasSubstr(file("bad")), HasSubstr(says)));
        EXPECT_EQ(jsonOf({"runs", "list", "--json"})["runs"].size(), 1u);
        for (const char* name : {"ck2", "bad.csv", "out"}) {
            EXPECT_FALSE(std::filesystem::exists(*this / name)) << name;
        }
    }

    std::vector<SafetensorsArray> m_weights;
};

TEST_F(WeightsContract, ARunStartsFromWhatAnotherSaved) {
    makeWeights();
    EXPECT_EQ(m_weights.size(), 20u);
    EXPECT_EQ(at("conv2d/kernel").shape, (std::vector<std::int64_t>{5, 5, 3, 32}));
    ASSERT_EQ(run({"runs", "export", "1", "--weights", file("exported")}).exitCode, 0);
    EXPECT_EQ(contentOf("exported"), contentOf("w"));
    EXPECT_EQ(contentOf("ck/step-000001/weights.safetensors"), contentOf("w"));

    const auto first = jsonOf(smallRun({"--steps", "1", "--weights", file("w"), "--json"}));
    const auto drawn = jsonOf(smallRun({"--steps", "1", "--json"}));
    EXPECT_NE(first["final"]["loss"], drawn["final"]["loss"]);
    for (SafetensorsArray& array : m_weights) {
        array.name += ":0"; // as older saved models of Keras call them
    }
    std::ranges::reverse(m_weights);
    store::writeSafetensors(*this / "w", m_weights);
    EXPECT_EQ(jsonOf(smallRun({"--steps", "1", "--weights", file("w"), "--json"}))["final"], first["final"]);
}

TEST_F(WeightsContract, WeightsThatDoNotFitAreOneSentenceAndNothingIsWritten) {
    makeWeights();
    const std::vector<SafetensorsArray> good = m_weights;
    at("conv2d/kernel").shape = {75, 32};
    expectRefused("\"conv2d/kernel\" has the shape [75, 32], expected [5, 5, 3, 32]");
    m_weights = good;
    m_weights.pop_back();
    expectRefused("lack \"dense/bias\"");
    m_weights = good;
    m_weights.push_back({"dense_1/bias", {1}, std::vector<float>{0}});
    expectRefused("\"dense_1/bias\", which this network does not have");
    m_weights = good;
    std::get<std::vector<float>>(at("batch_normalization/gamma").values)[1] = std::numeric_limits<float>::quiet_NaN();
    expectRefused("\"batch_normalization/gamma\" holds nan");
    m_weights = good;
    at("dense/kernel") = {"dense/kernel", {128, 3}, std::vector<float>(384)};
    expectRefused("for 3 classes, not for 2");
    m_weights = good;
    at("dense/bias") = {"dense/bias", {2}, std::vector<std::int64_t>{0, 1}};
    expectRefused("whole numbers");

    store::writeSafetensors(*this / "bad", good);
    std::filesystem::resize_file(*this / "bad", std::filesystem::file_size(*this / "bad") / 2);
    expectRefusedFile("cannot be used");
    std::filesystem::remove(*this / "bad");
    expectRefusedFile("cannot be opened");
}

TEST_F(WeightsContract, ARunWithoutCheckpointHasNoWeightsToExport) {
    ASSERT_EQ(run(smallRun({"--steps", "1"})).exitCode, 0);
    const Ended ended = run({"runs", "export", "1", "--weights", file("w"), "--csv", file("steps.csv")});
    EXPECT_EQ(ended.exitCode, 2);
    EXPECT_THAT(ended.err, HasSubstr("no checkpoint"));
    EXPECT_FALSE(std::filesystem::exists(*this / "w"));
    EXPECT_FALSE(std::filesystem::exists(*this / "steps.csv"));
}

TEST_F(WeightsContract, APlaceThatCannotBeWrittenIsSaidBeforeTheRun) {
    for (const char* flag : {"--save-weights", "--checkpoint"}) {
        const Ended ended = run(smallRun({"--steps", "1", flag, "/dev/null/no/such"}));
        EXPECT_EQ(ended.exitCode, 1);
        EXPECT_THAT(ended.err, HasSubstr("/dev/null/no/such"));
    }
    EXPECT_EQ(jsonOf({"runs", "list", "--json"})["runs"].size(), 0u);
}

} // namespace
} // namespace halfstep::app
