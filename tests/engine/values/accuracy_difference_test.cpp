#include "engine/analysis/accuracy_difference.h"
#include "engine/tensor/random.h"
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <numbers>

namespace halfstep::analysis {
namespace {
using testing::HasSubstr;
using testing::StartsWith;

// statsmodels 0.15.0: proportion.confint_proportions_2indep(k1, n1, k2, n2, method="newcomb", compare="diff"); the
// first five are Newcombe's own examples.
struct Proportions {
    int k1, n1, k2, n2;
    double low, high;
};
constexpr std::array kNewcombe{Proportions{56, 70, 48, 80, 0.05243147240236498, 0.33387265403690614},
                               Proportions{9, 10, 3, 10, 0.1705227239345029, 0.809017973535488},
                               Proportions{6, 7, 2, 7, 0.05822792748231209, 0.8062496375242278},
                               Proportions{5, 56, 0, 29, -0.038137147903536936, 0.19256001385511165},
                               Proportions{0, 10, 0, 20, -0.1611251580528194, 0.27753279986288926},
                               Proportions{10, 10, 0, 10, 0.6075093504305241, 1.0},
                               Proportions{2550, 3925, 2500, 3925, -0.00845207208508375, 0.033913740412635895}};

TEST(AccuracyDifference, TwoProportionsHaveNewcombesInterval) {
    for (const Proportions& golden : kNewcombe) {
        const Interval interval = newcombeInterval(static_cast<double>(golden.k1) / golden.n1, golden.n1,
                                                   static_cast<double>(golden.k2) / golden.n2, golden.n2);
        EXPECT_NEAR(interval.low, golden.low, 1e-12) << golden.k1;
        EXPECT_NEAR(interval.high, golden.high, 1e-12) << golden.k1;
    }
}

TEST(AccuracyDifference, SeedsHaveWelchsInterval) {
    // scipy 1.17.1: stats.ttest_ind(x, y, equal_var=False).confidence_interval(0.95).
    const std::vector<double> a{0.622, 0.648, 0.671}, b{0.630, 0.660, 0.668}, c{0.618, 0.662, 0.675, 0.64};
    const Interval ba = welchInterval(b, a);
    EXPECT_NEAR(ba.low, -0.04588732214358101, 1e-12);
    EXPECT_NEAR(ba.high, 0.05722065547691443, 1e-12);
    const Interval ca = welchInterval(c, a);
    EXPECT_NEAR(ca.low, -0.04846528877641615, 1e-12);
    EXPECT_NEAR(ca.high, 0.05196528877641621, 1e-12);
    const Interval apart = welchInterval(std::array{0.9, 0.91}, std::array{0.8, 0.85, 0.82, 0.81});
    EXPECT_NEAR(apart.low, 0.05157447781554661, 1e-12);
    EXPECT_NEAR(apart.high, 0.11842552218445354, 1e-12);
    EXPECT_EQ(welchInterval(std::array{0.5, 0.5}, std::array{0.25, 0.25}), (Interval{0.25, 0.25}));
}

/// Standard normal, by Box and Muller.
double normal(tensor::Random& random) {
    const double radius = std::sqrt(-2 * std::log(1 - random.between(0, 1)));
    return radius * std::cos(2 * std::numbers::pi * random.between(0, 1));
}

double shareOf(tensor::Random& random, double probability, int count) {
    int hits = 0;
    for (int i = 0; i < count; ++i) {
        hits += random.chance(probability) ? 1 : 0;
    }
    return static_cast<double>(hits) / count;
}

TEST(AccuracyDifference, NineteenOfTwentyIntervalsHoldTheTruth) {
    constexpr int kTries = 4000; // standard error of the coverage: 0.35 points
    tensor::Random random(1);
    int newcombe = 0, welch = 0;
    for (int i = 0; i < kTries; ++i) {
        const Interval shares = newcombeInterval(shareOf(random, 0.65, 200), 200, shareOf(random, 0.6, 300), 300);
        newcombe += shares.low <= 0.05 && 0.05 <= shares.high ? 1 : 0;
        std::vector<double> one, two;
        for (int k = 0; k < 4; ++k) {
            one.push_back(0.65 + 0.02 * normal(random));
            two.push_back(0.60 + 0.02 * normal(random));
        }
        two.push_back(0.60 + 0.02 * normal(random));
        const Interval means = welchInterval(one, two);
        welch += means.low <= 0.05 && 0.05 <= means.high ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(newcombe) / kTries, 0.95, 0.015);
    EXPECT_NEAR(static_cast<double>(welch) / kTries, 0.95, 0.015);
}

TEST(AccuracyDifference, SeveralSeedsCountBeforePictures) {
    const auto seeds = accuracyDifference({{0.66, 0.65}, 100}, {{0.66, 0.64}, 100});
    EXPECT_TRUE(seeds->overSeeds);
    EXPECT_NEAR(seeds->points, 0.5, 1e-12);
    const auto pictures = accuracyDifference({{0.66}, 100}, {{0.66, 0.64}, 100});
    EXPECT_FALSE(pictures->overSeeds);
    EXPECT_FALSE(accuracyDifference({{0.66}, 0}, {{0.66, 0.64}, 100})) << "of how many pictures is not known";
    EXPECT_FALSE(accuracyDifference({}, {{0.66, 0.64}, 100}));
}

TEST(AccuracyDifference, TheVerdictIsTheIntervalsPlaceBesideZeroAndTheMargin) {
    const auto verdict = [](double mine, double theirs, std::int64_t pictures) {
        return accuracyDifference({{mine}, pictures}, {{theirs}, pictures})->verdict;
    };
    EXPECT_EQ(verdict(0.65, 0.65, 100'000), AccuracyVerdict::Equivalent);
    EXPECT_EQ(verdict(0.66, 0.65, 100'000), AccuracyVerdict::Equivalent) << "better, but by less than 2 points";
    EXPECT_EQ(verdict(0.70, 0.65, 100'000), AccuracyVerdict::Better);
    EXPECT_EQ(verdict(0.60, 0.65, 100'000), AccuracyVerdict::Worse);
    EXPECT_EQ(verdict(0.65, 0.65, 100), AccuracyVerdict::NotShown);
    EXPECT_EQ(accuracyDifference({{0.66}, 100'000}, {{0.65}, 100'000}, 1)->verdict, AccuracyVerdict::Better);
}

TEST(AccuracyDifference, ItIsSaidInPlainWords) {
    AccuracyDifference difference{.points = 0.5,
                                  .interval = {-0.94, 1.2},
                                  .margin = 2,
                                  .overSeeds = true,
                                  .verdict = AccuracyVerdict::Equivalent};
    EXPECT_EQ(
        accuracySentence(difference, "mixed_float16", "float32"),
        "mixed_float16 and float32 are equivalent within 2 points: the difference is +0.5 points (-0.9 to +1.2). "
        "95 % interval over the seeds (Welch).");
    difference.interval = {-3.2, -1.4};
    difference.verdict = AccuracyVerdict::Worse;
    difference.overSeeds = false;
    EXPECT_EQ(accuracySentence(difference, "mixed_float16", "float32"),
              "mixed_float16 is 1.4 to 3.2 points worse than float32. 95 % interval over the validation pictures "
              "(Newcombe).");
    difference.oneRunEach = true;
    EXPECT_THAT(accuracySentence(difference, "a", "b"),
                HasSubstr("validation pictures, of one run each (Newcombe)."));
    difference.interval = {2.1, 3};
    difference.verdict = AccuracyVerdict::Better;
    EXPECT_THAT(accuracySentence(difference, "a", "b"), StartsWith("a is 2.1 to 3.0 points better than b."));
    difference.interval = {-3.1, 2.04};
    difference.verdict = AccuracyVerdict::NotShown;
    EXPECT_THAT(accuracySentence(difference, "a", "b"),
                HasSubstr("not shown to be equivalent: the interval -3.1 to +2.04 points reaches beyond 2 points."));
}

TEST(AccuracyDifference, RoundingMakesNoSentenceContradictItself) {
    AccuracyDifference difference{.interval = {0.02, 3.1}, .margin = 2, .verdict = AccuracyVerdict::Better};
    EXPECT_THAT(accuracySentence(difference, "a", "b"), StartsWith("a is 0.02 to 3.1 points better than b."));
    difference = {.points = -0.001, .interval = {-0.5, 0.5}, .margin = 2, .verdict = AccuracyVerdict::Equivalent};
    EXPECT_THAT(accuracySentence(difference, "a", "b"), HasSubstr("the difference is +0.00 points (-0.5 to +0.5)"));
}

TEST(AccuracyDifference, SeedsThatAllGaveTheSameAreJudgedByTheirPictures) {
    const auto perfect = accuracyDifference({{1, 1}, 8}, {{1, 1}, 8});
    EXPECT_FALSE(perfect->overSeeds);
    EXPECT_EQ(perfect->verdict, AccuracyVerdict::NotShown) << "eight pictures show nothing";
    EXPECT_FALSE(accuracyDifference({{1, 1}, 0}, {{1, 1}, 0}));
}

} // namespace
} // namespace halfstep::analysis
