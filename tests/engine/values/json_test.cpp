#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include "engine/values/number_text.h"
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace halfstep::values {
namespace {
using Json = nlohmann::ordered_json;

ExperimentConfig unusualConfig() {
    return {.name = "Übung \"1\"",
            .data = "/data/set.tgz",
            .policy = precision::Policy::MixedBFloat16,
            .batchSize = 7,
            .device = "cpu",
            .epochs = 3,
            .steps = 123456789012,
            .imageSize = 64,
            .seed = 18446744073709551615u,
            .threads = 2,
            .isa = "avx2",
            .convolution = "direct",
            .optimizer = OptimizerKind::Sgd,
            .learningRate = 0.1 + 0.2,
            .epsilon = 1e-8,
            .lossScale = {.scaling = precision::LossScaling::Dynamic,
                          .rule = precision::LossScaleRule::PyTorch,
                          .scale = 1024,
                          .growthFactor = 1.5,
                          .backoffFactor = 0.25,
                          .growthInterval = 100},
            .numericsEvery = 3,
            .earlyStoppingPatience = 4,
            .weights = "w.safetensors",
            .checkpoint = "kept",
            .checkpointEvery = 50,
            .memoryLimitBytes = 1ull << 40};
}

TEST(ConfigJson, ReadsBackEverySetting) {
    const ExperimentConfig config = unusualConfig();
    const std::string text = jsonText(toJson(config));
    EXPECT_EQ(experimentConfigFrom(Json::parse(text)), config);
}

TEST(ConfigJson, ReadsBackALearningRateThatIsNotFinite) {
    ExperimentConfig config;
    config.learningRate = -HUGE_VAL;
    EXPECT_EQ(experimentConfigFrom(Json::parse(jsonText(toJson(config)))), config);
}

TEST(ConfigJson, AMissingFieldKeepsItsDefault) {
    EXPECT_EQ(experimentConfigFrom(Json::object()), ExperimentConfig{});
    EXPECT_EQ(experimentConfigFrom({{"steps", nullptr}}), ExperimentConfig{});
}

std::string fieldRefused(const Json& json) {
    try {
        experimentConfigFrom(json);
    } catch (const ConfigError& error) {
        EXPECT_STRNE(error.what(), "");
        return error.field();
    }
    return "nothing";
}

TEST(ConfigJson, AWrongTypeNamesTheField) {
    EXPECT_EQ(fieldRefused({{"batch_size", "32"}}), "batch_size");
    EXPECT_EQ(fieldRefused({{"batch_size", 32.5}}), "batch_size");
    EXPECT_EQ(fieldRefused({{"batch_size", 3000000000}}), "batch_size");
    EXPECT_EQ(fieldRefused({{"seed", -1}}), "seed");
    EXPECT_EQ(fieldRefused({{"name", 3}}), "name");
    EXPECT_EQ(fieldRefused({{"policy", "float17"}}), "policy");
    EXPECT_EQ(fieldRefused({{"policy", 16}}), "policy");
    EXPECT_EQ(fieldRefused({{"learning_rate", "fast"}}), "learning_rate");
    EXPECT_EQ(fieldRefused({{"loss_scaling", "sometimes"}}), "loss_scaling");
    EXPECT_EQ(fieldRefused({{"loss_scale", "large"}}), "loss_scale");
    EXPECT_EQ(fieldRefused({{"optimizer", "lion"}}), "optimizer");
    EXPECT_THROW(experimentConfigFrom(Json::array()), ConfigError);
}

TEST(EnvironmentJson, ReadsBack) {
    const Environment environment{.cpu = "AMD EPYC",
                                  .cores = 2,
                                  .threads = 1,
                                  .isa = "avx2",
                                  .device = "cpu",
                                  .operatingSystem = "Debian",
                                  .compiler = "g++ 12.2.0, Release",
                                  .halfstepVersion = "0.1.0",
                                  .oneDnnVersion = "2.6.3",
                                  .openCvVersion = "4.6.0",
                                  .dataFingerprint = "00ff",
                                  .validationPictures = 3925,
                                  .convolutions = {{"conv2d", "forward", "direct, few channels"},
                                                   {"conv2d", "backward weights", "direct, few channels"}}};
    EXPECT_EQ(environmentFrom(Json::parse(jsonText(toJson(environment)))), environment);
}

TEST(SummaryJson, HasTheContractsKeysInOrder) {
    std::vector<std::string> keys;
    const Json json = toJson(RunSummary{}, {}, {});
    for (const auto& item : json.items()) {
        keys.push_back(item.key());
    }
    EXPECT_THAT(keys, testing::ElementsAre("run", "status", "steps", "epochs", "skipped_steps", "median_step_ms",
                                           "peak_bytes", "final", "epochs_log", "environment", "config", "message"));
}

TEST(SummaryJson, FinalFiguresAreTheLastEpochs) {
    RunSummary summary;
    summary.run = 4;
    summary.epochsLog = {
        {.epoch = 1, .loss = 2.5, .accuracy = 0.1},
        {.epoch = 2, .loss = 1.5, .accuracy = 0.5, .valLoss = 1.75, .valAccuracy = 0.25, .seconds = 9}};
    const Json json = toJson(summary, {}, {});
    EXPECT_EQ(json["final"], Json::parse(R"({"loss":1.5,"accuracy":0.5,"val_loss":1.75,"val_accuracy":0.25})"));
    EXPECT_EQ(json["epochs_log"].size(), 2u);
    EXPECT_EQ(json["epochs_log"][0]["val_loss"], nullptr);
    EXPECT_EQ(json["epochs_log"][1]["seconds"], 9.0);
}

TEST(SummaryJson, AnEpochThatWasBegunGivesTheFinalTrainingFigures) {
    RunSummary summary;
    summary.epochsLog = {{.epoch = 1, .loss = 2.5, .accuracy = 0.1, .valLoss = 2.25, .valAccuracy = 0.2}};
    summary.loss = 2.0;
    summary.accuracy = 0.75;
    const Json final = toJson(summary, {}, {})["final"];
    EXPECT_EQ(final["loss"], 2.0);
    EXPECT_EQ(final["accuracy"], 0.75);
    EXPECT_EQ(final["val_loss"], 2.25);
}

TEST(SummaryJson, WhatIsUnknownIsNullAndWhatIsNotFiniteIsText) {
    RunSummary summary;
    Json json = toJson(summary, {}, {});
    EXPECT_EQ(json["run"], nullptr);
    EXPECT_EQ(json["median_step_ms"], nullptr);
    EXPECT_EQ(json["final"]["loss"], nullptr);
    summary.status = RunStatus::Diverged;
    summary.loss = std::numeric_limits<double>::quiet_NaN();
    json = toJson(summary, {}, {});
    EXPECT_EQ(json["status"], "diverged");
    EXPECT_EQ(json["final"]["loss"], "nan");
}

TEST(RunStatus, NamesReadBack) {
    for (const RunStatus status : {RunStatus::Running, RunStatus::Finished, RunStatus::Stopped, RunStatus::Diverged,
                                   RunStatus::Failed, RunStatus::Interrupted}) {
        EXPECT_EQ(runStatusNamed(nameOf(status)), status);
    }
    EXPECT_EQ(runStatusNamed("asleep"), std::nullopt);
}

TEST(JsonText, WritesNumbersAsTheCsvDoes) {
    for (const double value : {0.1, 1e-7, 2.302585092994046, 5e-324, 1e30, 5e-310, 9.5367431640625e-07, 1.0}) {
        EXPECT_EQ(jsonText(Json(value)), numberText(value));
    }
}

TEST(JsonText, ReadsBackWhatItWrote) {
    const Json json = {
        {"a", {1, 2.5, nullptr, true}}, {"empty", Json::array()}, {"\"quoted\"\n", {{"b", Json::object()}}}};
    EXPECT_EQ(Json::parse(jsonText(json)), json);
    EXPECT_EQ(jsonText(json, -1), json.dump());
    EXPECT_EQ(jsonText(json), json.dump(2));
}

TEST(JsonText, ReplacesBytesThatAreNotUtf8) {
    EXPECT_EQ(jsonText(Json("a\xff"), -1), "\"a\xEF\xBF\xBD\"");
}

} // namespace
} // namespace halfstep::values
