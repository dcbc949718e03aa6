#include "engine/backend/backend.h"
#include "engine/store/safetensors.h"
#include "engine/tensor/error.h"
#include "engine/train/training_state.h"
#include "engine/train/weights_file.h"
#include "tests/support/temporary_folder.h"
#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace halfstep::train {
namespace {
using testing::AllOf;
using testing::HasSubstr;

constexpr std::int64_t kClasses = 3;

class Weights : public testing::Test {
protected:
    Weights() { weights = download(*state.device, variablesOf(state.network)); }

    NamedArray& at(const std::string& name) { return *std::ranges::find(weights, name, &NamedArray::name); }

    static std::string refusal(TrainingState& by, const std::vector<NamedArray>& arrays) {
        const auto before = download(*by.device, variablesOf(by.network));
        try {
            by.load(arrays, useOfWeights("w.st"));
        } catch (const DataError& error) {
            const auto after = download(*by.device, variablesOf(by.network));
            for (std::size_t i = 0; i < before.size(); ++i) {
                EXPECT_EQ(after[i].values, before[i].values) << "nothing is loaded of what is refused";
            }
            return error.what();
        }
        return "nothing was refused";
    }
    std::string refusal() { return refusal(state, weights); }

    TrainingState state = TrainingState::forTrying({}, kClasses);
    std::vector<NamedArray> weights;
};

TEST_F(Weights, ComeBackFromAFileToTheBitInAnyOrder) {
    support::TemporaryFolder folder;
    at("conv2d/bias").values[3] = -0.0f;
    at("conv2d/bias").values[4] = std::numeric_limits<float>::denorm_min();
    std::ranges::reverse(weights);
    writeWeights(folder.path() / "w", weights);
    state.load(readWeights(folder.path() / "w"), useOfWeights("w"));
    std::ranges::reverse(weights);
    const auto loaded = download(*state.device, variablesOf(state.network));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        EXPECT_EQ(loaded[i].name, weights[i].name);
        EXPECT_EQ(loaded[i].values, weights[i].values);
    }
    const NamedArray& bias = *std::ranges::find(loaded, "conv2d/bias", &NamedArray::name);
    EXPECT_TRUE(std::signbit(bias.values[3]));
}

TEST_F(Weights, AMissingArrayIsNamed) {
    std::erase_if(weights, [](const auto& array) { return array.name == "conv2d_1/bias"; });
    EXPECT_THAT(refusal(), AllOf(HasSubstr("\"w.st\""), HasSubstr("lack \"conv2d_1/bias\" [64]")));
}

TEST_F(Weights, AnUnknownArrayIsNamed) {
    weights.push_back({"conv2d_3/bias", {1}, {0}});
    EXPECT_THAT(refusal(), HasSubstr("\"conv2d_3/bias\", which this network does not have"));
}

TEST_F(Weights, ADoubledArrayIsNamed) {
    weights.push_back(weights.front());
    EXPECT_THAT(refusal(), HasSubstr("comes twice"));
}

TEST_F(Weights, AWrongShapeIsToldWithTheRightOne) {
    at("conv2d/kernel").shape = {3, 3, 3, 32};
    EXPECT_THAT(refusal(), HasSubstr("\"conv2d/kernel\" has the shape [3, 3, 3, 32], expected [5, 5, 3, 32]"));
}

TEST_F(Weights, AnArrayThatIsNotWholeIsRefused) {
    at("dense/bias").values.pop_back();
    EXPECT_THAT(refusal(), HasSubstr("\"dense/bias\" holds 2 values, but its shape [3] needs 3"));
}

TEST_F(Weights, AnotherNumberOfClassesIsToldAsSuch) {
    TrainingState ten = TrainingState::forTrying({}, 10);
    EXPECT_THAT(refusal(ten, weights), HasSubstr("they are for 3 classes, not for 10"));
}

TEST_F(Weights, ANumberThatIsNotFiniteIsNamed) {
    at("batch_normalization/moving_variance").values[2] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(refusal(), HasSubstr("\"batch_normalization/moving_variance\" holds nan (element 2)"));
    at("batch_normalization/moving_variance").values[2] = -std::numeric_limits<float>::infinity();
    EXPECT_THAT(refusal(), HasSubstr("-inf"));
}

TEST_F(Weights, ANumberBeyondTheVariablesFormatIsRefusedThere) {
    at("dense/bias").values[0] = 70000;
    TrainingState float16 = TrainingState::forTrying({.policy = precision::Policy::Float16}, kClasses);
    EXPECT_THAT(refusal(float16, weights),
                HasSubstr("\"dense/bias\" holds 70000 (element 0), which is beyond float16"));
    TrainingState mixed = TrainingState::forTrying({.policy = precision::Policy::MixedFloat16}, kClasses);
    EXPECT_NO_THROW(mixed.load(weights, useOfWeights("w")));
}

TEST_F(Weights, ThatAreNotFiniteAreNotWritten) {
    support::TemporaryFolder folder;
    at("dense/bias").values[0] = std::numeric_limits<float>::infinity();
    EXPECT_THROW(writeWeights(folder.path() / "w", weights), StoreError);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(Weights, AFileOfWholeNumbersOrOfBytesIsRefusedByName) {
    support::TemporaryFolder folder;
    const auto file = folder.path() / "w";
    store::writeSafetensors(file,
                            std::vector<store::SafetensorsArray>{{"dense/bias", {1}, std::vector<std::int64_t>{1}}});
    EXPECT_THAT([&] { readWeights(file); },
                testing::ThrowsMessage<DataError>(AllOf(HasSubstr("whole numbers"), HasSubstr(file.string()))));
    writeWeights(file, weights);
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    EXPECT_THAT([&] { readWeights(file); },
                testing::ThrowsMessage<DataError>(AllOf(HasSubstr("cannot be used"), HasSubstr("intact"))));
}

} // namespace
} // namespace halfstep::train
