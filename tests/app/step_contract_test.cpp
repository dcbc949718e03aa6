#include "engine/store/safetensors.h"
#include "tests/app/workplace.h"
#include "tests/support/golden_file.h"
#include "tests/support/tolerance.h"
#include <algorithm>
#include <limits>
#include <map>

namespace halfstep::app {
namespace {
using store::SafetensorsArray;
using support::Array;
using testing::HasSubstr;

SafetensorsArray stored(const std::string& name, const Array& array) {
    SafetensorsArray result{name, {}, std::vector<float>(array.values.begin(), array.values.end())};
    for (int i = 0; i < array.shape.rank(); ++i) {
        result.shape.push_back(array.shape[i]);
    }
    return result;
}

/// The golden case of PyTorch in files, and what the program makes of it.
class StepContract : public Workplace {
protected:
    StepContract() {
        for (const auto& [name, array] : m_golden.drawn.weights) {
            m_weights.push_back(stored(name, array));
        }
        m_batch = {stored("images", m_golden.drawn.images),
                   {"labels", {static_cast<std::int64_t>(m_golden.drawn.labels.size())}, m_golden.drawn.labels}};
    }

    Ended step(const std::vector<std::string>& more = {}) {
        store::writeSafetensors(*this / "weights", m_weights);
        store::writeSafetensors(*this / "batch", m_batch);
        std::vector<std::string> arguments{"step",        "--weights", file("weights"), "--batch",
                                           file("batch"), "--output",  file("output")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }

    std::map<std::string, std::vector<float>> output() {
        std::map<std::string, std::vector<float>> arrays;
        for (const SafetensorsArray& array : store::readSafetensors(*this / "output")) {
            arrays[array.name] = std::get<std::vector<float>>(array.values);
        }
        return arrays;
    }

    void expectRefused(const std::string& says) {
        const Ended ended = step();
        EXPECT_EQ(ended.exitCode, 3);
        EXPECT_THAT(ended.err, HasSubstr(says));
        EXPECT_FALSE(std::filesystem::exists(*this / "output"));
    }

    support::Golden m_golden = support::readGolden("step_32x32");
    std::vector<SafetensorsArray> m_weights;
    std::vector<SafetensorsArray> m_batch;
};

TEST_F(StepContract, AgreesWithPyTorch) {
    const Ended ended = step({"--policy", "float32", "--device", "cpu"});
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const auto arrays = output();
    EXPECT_NEAR(arrays.at("loss").at(0), m_golden.at("loss")[0], support::kGoldenSmall * m_golden.at("loss")[0]);
    EXPECT_EQ(arrays.at("gradients_finite"), std::vector<float>{1});
    EXPECT_EQ(arrays.at("logits").size(), m_golden.at("logits").values.size());
    for (const support::Variable& variable : support::convnetVariables()) {
        const auto expectNear = [&](const std::string& name) {
            const std::vector<float>& got = arrays.at(name);
            const Array array{variable.shape, {got.begin(), got.end()}};
            EXPECT_TRUE(
                support::isNearInL2(m_golden.kept(variable.name, array), m_golden.at(name), support::kGoldenSmall))
                << name;
        };
        expectNear("updated/" + variable.name);
        if (variable.trainable) {
            expectNear("gradient/" + variable.name);
        }
        EXPECT_EQ(arrays.contains("gradient/" + variable.name), variable.trainable) << variable.name;
    }
}

TEST_F(StepContract, TakesTheNamesOfSavedKerasModelsToo) {
    ASSERT_EQ(step().exitCode, 0);
    const auto plain = output();
    for (SafetensorsArray& weight : m_weights) {
        weight.name += ":0";
    }
    ASSERT_EQ(step().exitCode, 0);
    EXPECT_EQ(output(), plain);
}

TEST_F(StepContract, TheLossScaleIsTakenAndGradientsAreUnscaled) {
    ASSERT_EQ(step({"--policy", "float32"}).exitCode, 0);
    const auto unscaled = output();
    ASSERT_EQ(step({"--policy", "float32", "--loss-scale", "1024"}).exitCode, 0);
    EXPECT_EQ(output().at("gradient/dense/bias"), unscaled.at("gradient/dense/bias"))
        << "powers of two round nothing";
    const Ended overflow = step({"--policy", "mixed_float16", "--loss-scale", "1e38"});
    ASSERT_EQ(overflow.exitCode, 0) << overflow.err;
    EXPECT_THAT(overflow.out, HasSubstr("not finite"));
    EXPECT_EQ(output().at("gradients_finite"), std::vector<float>{0});
}

TEST_F(StepContract, WhatDoesNotFitEndsWithThreeAndASentence) {
    m_batch[0].name = "pictures";
    expectRefused("\"pictures\"");
    m_batch[0].name = "images";
    std::get<std::vector<std::int64_t>>(m_batch[1].values)[0] = 10;
    expectRefused("label 10 is outside 0 to 9");
    std::get<std::vector<std::int64_t>>(m_batch[1].values)[0] = -1;
    expectRefused("label -1 is outside 0 to 9");
    m_batch.pop_back();
    expectRefused("labels");
}

TEST_F(StepContract, MissingAndDoubledWeightsEndWithThree) {
    m_weights.push_back(m_weights.front());
    m_weights.back().name += ":0";
    expectRefused("twice");
    m_weights.pop_back();
    const std::string missing = m_weights.back().name;
    m_weights.pop_back();
    expectRefused(missing);
}

TEST_F(StepContract, WeightsOfAnotherShapeOrThatAreNotFiniteEndWithThree) {
    const std::vector<SafetensorsArray> good = m_weights;
    const auto kernel = std::ranges::find(m_weights, "conv2d/kernel", &SafetensorsArray::name);
    kernel->shape = {75, 32};
    expectRefused("\"conv2d/kernel\" has the shape [75, 32], expected [5, 5, 3, 32]");
    m_weights = good;
    std::get<std::vector<float>>(m_weights.front().values)[7] = std::numeric_limits<float>::quiet_NaN();
    expectRefused("\"" + m_weights.front().name + "\" holds nan (element 7)");
}

} // namespace
} // namespace halfstep::app
