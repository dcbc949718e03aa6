// A profile as JSON and back (profile_json.cpp).
#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include "engine/values/profile.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace halfstep::values {
namespace {

StepProfile madeProfile() {
    StepProfile profile;
    profile.config.policy = precision::Policy::MixedFloat16;
    profile.config.batchSize = 8;
    profile.environment.isa = "avx2";
    profile.ceilings = {"avx2", 2, 100, 20, 10, 15};
    profile.parts = {{.layer = "conv2d_1",
                      .operation = "backward_weights",
                      .kind = PartKind::Convolution,
                      .milliseconds = {8, 7.5, 8.5},
                      .share = 0.8,
                      .flops = 4e8,
                      .directFlops = 1e9,
                      .bytes = 2e6,
                      .algorithm = "FFT"},
                     {.layer = "step", .operation = "other", .milliseconds = {2, 2, 2}, .share = 0.2}};
    profile.profiledStep = {10.5, 10, 11};
    profile.unprofiledStep = {10.25, 9.5, 10.75};
    profile.processorShare = 0.9;
    profile.steps = 20;
    profile.warmUpSteps = 3;
    profile.warmUpMilliseconds = 31.5;
    profile.skippedSteps = 1;
    profile.classes = 7;
    return profile;
}

TEST(StepProfile, ReadsBackAsItWasWritten) {
    const StepProfile profile = madeProfile();
    const std::string text = jsonText(toJson(profile));
    EXPECT_EQ(stepProfileFrom(nlohmann::ordered_json::parse(text)), profile);
}

TEST(StepProfile, HasTheNamesOfTheContract) {
    const nlohmann::ordered_json json = toJson(madeProfile());
    EXPECT_EQ(json.at("parts")[0].at("layer"), "conv2d_1");
    EXPECT_EQ(json.at("parts")[0].at("median_ms"), 8);
    EXPECT_EQ(json.at("parts")[0].at("direct_flops"), 1e9);
    EXPECT_EQ(json.at("unprofiled_step").at("q75_ms"), 10.75);
    EXPECT_EQ(json.at("sum_of_parts_ms"), 10);
    EXPECT_EQ(json.at("ceilings").at("triad_gbps"), 15);
}

TEST(StepProfile, WhatIsMissingIsAnError) {
    nlohmann::ordered_json json = toJson(madeProfile());
    json.erase("ceilings");
    EXPECT_THROW(stepProfileFrom(json), StoreError);
    json = toJson(madeProfile());
    json["parts"][0]["kind"] = "magic";
    EXPECT_THROW(stepProfileFrom(json), StoreError);
}

TEST(StepProfile, EveryKindOfPartHasItsName) {
    for (const PartKind kind : {PartKind::Input, PartKind::Convolution, PartKind::Normalization, PartKind::Head,
                                PartKind::Variables, PartKind::Other}) {
        EXPECT_EQ(partKindNamed(nameOf(kind)), kind);
    }
    EXPECT_FALSE(partKindNamed("magic"));
}

TEST(Ceilings, TheMemoryIsTheBestOfThree) {
    EXPECT_EQ(Ceilings({"avx2", 2, 100, 20, 10, 15}).memoryGbps(), 20);
    EXPECT_EQ(Ceilings({"avx2", 2, 100, 20, 10, 35}).memoryGbps(), 35);
}

} // namespace
} // namespace halfstep::values
