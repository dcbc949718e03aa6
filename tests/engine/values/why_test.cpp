// What a profile means (why.cpp), and its sentences (why_sentences.cpp).
#include "engine/analysis/why.h"
#include <gmock/gmock.h>

namespace halfstep::analysis {
namespace {

using testing::HasSubstr;
using testing::Not;
using values::PartKind;
using values::ProfilePart;
using values::StepProfile;

/// A part that needs `least` of its milliseconds at ceilings of 1 GFLOP/s and 1 GB/s.
ProfilePart arithmetic(const std::string& layer, const std::string& operation, double ms) {
    return {.layer = layer,
            .operation = operation,
            .kind = PartKind::Convolution,
            .milliseconds = {ms, ms, ms},
            .flops = ms * 0.6e6,
            .directFlops = ms * 0.6e6,
            .bytes = 1};
}

ProfilePart memory(const std::string& layer, const std::string& operation, double ms, PartKind kind) {
    return {.layer = layer,
            .operation = operation,
            .kind = kind,
            .milliseconds = {ms, ms, ms},
            .flops = 1,
            .directFlops = 1,
            .bytes = ms * 0.6e6};
}

StepProfile profileOf(precision::Policy policy, std::vector<ProfilePart> parts, double stepMs) {
    StepProfile profile;
    profile.config.policy = policy;
    profile.ceilings = {"avx2", 1, 1, 1, 1, 1};
    profile.parts = std::move(parts);
    profile.unprofiledStep = {stepMs, stepMs - 0.5, stepMs + 0.5};
    profile.processorShare = 0.9;
    return profile;
}

StepProfile float32() {
    return profileOf(precision::Policy::Float32,
                     {memory("images", "normalize", 4, PartKind::Input),
                      arithmetic("conv2d", "forward", 60),
                      memory("batch_normalization", "forward", 20, PartKind::Normalization),
                      memory("variables", "optimizer", 6, PartKind::Variables),
                      {.layer = "step", .operation = "other", .milliseconds = {10, 10, 10}}},
                     101);
}

StepProfile mixed() {
    return profileOf(precision::Policy::MixedFloat16,
                     {memory("variables", "cast", 3, PartKind::Variables),
                      memory("images", "normalize", 4, PartKind::Input),
                      arithmetic("conv2d", "forward", 60),
                      memory("batch_normalization", "forward", 11, PartKind::Normalization),
                      memory("variables", "optimizer", 6, PartKind::Variables),
                      {.layer = "step", .operation = "other", .milliseconds = {10, 10, 10}}},
                     94);
}

TEST(Why, SharesTellWhatBoundsTheStep) {
    const BoundShares shares = boundSharesOf(float32());
    EXPECT_DOUBLE_EQ(shares.arithmetic, 0.6);
    EXPECT_DOUBLE_EQ(shares.memory, 0.3);
    EXPECT_DOUBLE_EQ(shares.unknown, 0.1);
    EXPECT_DOUBLE_EQ(shares.neither, 0);
    EXPECT_DOUBLE_EQ(shares.halvable, 0.2) << "variables stay float32, images are bytes";
    EXPECT_EQ(boundSharesOf({}).arithmetic, 0);
}

TEST(Why, HalfSizeTensorsGainWhatAmdahlLeaves) {
    EXPECT_DOUBLE_EQ(mostByHalving({.halvable = 0.2}), 1 / 0.9);
    EXPECT_DOUBLE_EQ(mostByHalving({.halvable = 1}), 2);
    EXPECT_DOUBLE_EQ(mostByHalving({}), 1);
}

TEST(Why, TheFirstSentencesSayIt) {
    EXPECT_EQ(boundSentence(float32()),
              "60 % of the step is arithmetic in float32, whose speed does not depend on the storage type; 30 % is "
              "bound by memory.");
    EXPECT_THAT(halvingSentence(float32()), HasSubstr("at most 1.11x faster"));
    EXPECT_THAT(halvingSentence(float32()), HasSubstr("waits for their bytes, 20 % of the step,"));
    EXPECT_THAT(halvingSentence(mixed()), HasSubstr("half the size already"));
}

TEST(Why, FarFromBothCeilingsAndWaitingAreSaid) {
    StepProfile profile = float32();
    profile.parts[1].flops /= 10;
    profile.parts.push_back(
        {.layer = "input", .operation = "wait", .kind = PartKind::Input, .milliseconds = {5, 5, 5}, .share = 0.05});
    EXPECT_THAT(boundSentence(profile), HasSubstr("57 % is far from both ceilings; 5 % is waiting for photographs."));
}

TEST(Why, TheSumIsHeldAgainstTheStepThatNobodyTimes) {
    EXPECT_THAT(sumSentence(float32()), HasSubstr("add up to 100 ms"));
    EXPECT_THAT(sumSentence(float32()), HasSubstr("takes 101 ms (-1.0 %)"));
    EXPECT_THAT(sumSentence(float32()), HasSubstr("90 %"));
    EXPECT_THAT(sumSentence(float32()), Not(HasSubstr("too far apart")));
    StepProfile disturbed = float32();
    disturbed.unprofiledStep.median = 110;
    EXPECT_THAT(sumSentence(disturbed), HasSubstr("too far apart: profile more steps"));
}

TEST(Why, ASpeedUpIsExplainedByItsParts) {
    const StepProfile before = float32(), after = mixed();
    const Comparison comparison = compare(before, after);
    EXPECT_TRUE(comparison.shown);
    EXPECT_DOUBLE_EQ(comparison.speedup(), 101.0 / 94);
    EXPECT_EQ(comparison.parts.front().layer, "batch_normalization");
    EXPECT_EQ(comparison.parts.front().gained(), 9);
    EXPECT_EQ(comparison.parts.back().operation, "cast");
    EXPECT_EQ(comparison.parts.back().gained(), -3);
    const std::string sentence = speedupSentence(before, after);
    EXPECT_THAT(sentence, HasSubstr("mixed_float16 takes 94.0 ms a step, float32 101 ms: 1.07x faster."));
    EXPECT_THAT(sentence, HasSubstr("Faster: batch_normalization forward 20.0 to 11.0 ms."));
    EXPECT_THAT(sentence, HasSubstr("Slower: variables cast"));
    EXPECT_THAT(sentence, Not(HasSubstr("conv2d")));
}

TEST(Why, OverlappingQuartilesShowNoDifference) {
    StepProfile after = mixed();
    after.unprofiledStep = {100.5, 100, 101};
    EXPECT_FALSE(compare(float32(), after).shown);
    EXPECT_THAT(speedupSentence(float32(), after), HasSubstr("no difference shown"));
    after.unprofiledStep = {110, 109, 111};
    EXPECT_THAT(speedupSentence(float32(), after), HasSubstr("0.92x, slower"));
}

TEST(Why, PartsWhoseQuartilesOverlapAreNotNamed) {
    StepProfile after = mixed();
    after.parts[3].milliseconds = {11, 9, 21};
    EXPECT_THAT(speedupSentence(float32(), after), Not(HasSubstr("batch_normalization")));
    EXPECT_FALSE(compare(float32(), after).parts.front().shown);
}

TEST(Why, WhatHalvingDoesNotExplainIsSaid) {
    StepProfile after = mixed();
    after.parts[2].milliseconds.median = 40;
    after.unprofiledStep = {74, 73.5, 74.5};
    EXPECT_THAT(
        speedupSentence(float32(), after),
        HasSubstr("alone explains at most 1.11x; the convolutions, which count as arithmetic, gained 20.0 ms."));
}

TEST(Why, OfAPartThatOnlyOneHasTheOtherTakesNothing) {
    StepProfile before = float32();
    before.parts.push_back(arithmetic("conv2d_9", "forward", 5));
    const Comparison comparison = compare(before, mixed());
    EXPECT_EQ(comparison.parts[1].layer, "conv2d_9");
    EXPECT_EQ(comparison.parts[1].after, 0);
}

TEST(Why, SentencesComeInOrder) {
    const StepProfile before = float32(), after = mixed();
    EXPECT_EQ(whySentences(before, nullptr).size(), 3U);
    EXPECT_EQ(whySentences(after, &before).size(), 4U);
    EXPECT_EQ(whySentences(after, &before)[2], speedupSentence(before, after));
}

} // namespace
} // namespace halfstep::analysis
