#pragma once
#include "engine/analysis/sweep_figures.h"
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Do two policies learn equally well? A statement on their validation accuracies, with its 95 % interval. Accuracies
/// are shares (0 to 1), differences are in points (hundredths).
namespace halfstep::analysis {

/// Two proportions of independent samples, first minus second: Newcombe's hybrid of Wilson's score intervals (method
/// 10 of R. G. Newcombe, Interval estimation for the difference between independent proportions, Statistics in
/// Medicine 17, 1998, 873-890). Shares are between 0 and 1, counts above 0; the result is a share.
Interval newcombeInterval(double first, std::int64_t firstCount, double second, std::int64_t secondCount);

/// Means of two samples of at least two each, first minus second, whose spreads may differ: B. L. Welch's interval
/// (Biometrika 34, 1947, 28-35), with the degrees of freedom of Welch and Satterthwaite.
Interval welchInterval(std::span<const double> first, std::span<const double> second);

/// The validation accuracies of one policy's runs, one a seed.
struct AccuracySample {
    std::vector<double> runs{};
    std::int64_t pictures = 0; ///< each was validated on; 0 if that is not known
};

enum class AccuracyVerdict {
    Equivalent, ///< the interval lies within the margin
    Better,     ///< it lies above 0, and reaches beyond the margin
    Worse,      ///< likewise below
    NotShown    ///< it holds 0 and reaches beyond the margin: more runs, or more pictures, could tell
};

struct AccuracyDifference {
    double points = 0;       ///< the sample's mean less the other's
    Interval interval{};     ///< 95 %, points
    double margin = 0;       ///< points that count as equal
    bool overSeeds = false;  ///< Welch's interval over the seeds; else Newcombe's over the pictures
    bool oneRunEach = false; ///< of which Newcombe's is; else of the mean of several
    AccuracyVerdict verdict = AccuracyVerdict::NotShown;
};

inline constexpr double kEquivalenceMargin = 2; ///< points

/// Over the seeds where both have at least two runs, not all alike: that is what another seed would change. Else over
/// the pictures: what other pictures would change. The pictures of two runs are the same ones, so that the true
/// interval over them is rather narrower than this one, which takes them for independent.
///
/// Nothing if a sample is empty, or if it must be over the pictures and their number is not known.
std::optional<AccuracyDifference> accuracyDifference(const AccuracySample& sample, const AccuracySample& against,
                                                     double margin = kEquivalenceMargin);

/// "mixed_float16 and float32 are equivalent within 2 points: the difference is +0.5 points (-0.9 to +1.2)." "...
/// mixed_float16 is 1.4 to 3.2 points worse than float32." "mixed_float16 and float32 are not shown to be equivalent:
/// the interval -3.1 to +2.0 points reaches beyond 2 points." Then what the interval is over.
std::string accuracySentence(const AccuracyDifference& difference, std::string_view name, std::string_view against);

} // namespace halfstep::analysis
