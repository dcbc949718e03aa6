#include "engine/analysis/accuracy_difference.h"
#include "engine/analysis/student_t.h"
#include "engine/values/number_text.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace halfstep::analysis {
namespace {

constexpr double kNormalQuantile = 1.959963984540054; ///< of 0.975

double meanOf(std::span<const double> sample) {
    return std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
}

/// The variance of the mean: s^2 / n.
double varianceOfMean(std::span<const double> sample) {
    const double mean = meanOf(sample);
    double squares = 0;
    for (const double value : sample) {
        squares += (value - mean) * (value - mean);
    }
    const auto n = static_cast<double>(sample.size());
    return squares / (n - 1) / n;
}

/// E. B. Wilson's score interval of one proportion (1927).
Interval wilsonInterval(double share, std::int64_t count) {
    const auto n = static_cast<double>(count);
    const double z2 = kNormalQuantile * kNormalQuantile;
    const double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
    const double half = kNormalQuantile * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n);
    return {middle - half, middle + half};
}

AccuracyVerdict verdictOn(const Interval& interval, double margin) {
    if (interval.low >= -margin && interval.high <= margin) {
        return AccuracyVerdict::Equivalent;
    }
    return interval.low > 0    ? AccuracyVerdict::Better
           : interval.high < 0 ? AccuracyVerdict::Worse
                               : AccuracyVerdict::NotShown;
}

std::string whatItIsOver(const AccuracyDifference& difference) {
    return difference.overSeeds    ? " 95 % interval over the seeds (Welch)."
           : difference.oneRunEach ? " 95 % interval over the validation pictures, of one run each (Newcombe)."
                                   : " 95 % interval over the validation pictures (Newcombe).";
}

/// Seeds that all gave the same say nothing of how far seeds spread.
bool spreads(const std::vector<double>& runs) {
    return std::ranges::adjacent_find(runs, std::not_equal_to{}) != runs.end();
}

/// One decimal, or two where one would read as 0 or as the margin and it is not.
std::string boundText(double bound, double margin) {
    const double tenth = std::round(10 * bound) / 10;
    const bool misleads = (tenth == 0 || std::abs(tenth) == margin) && tenth != bound;
    const std::string text = fmt::format("{:+.{}f}", bound, misleads ? 2 : 1);
    return text.find_first_not_of("-0.") == std::string::npos ? fmt::format("+{}", text.substr(1)) : text;
}

/// The same without a sign, of a bound of a difference that is said in words.
std::string sizeText(double bound, double margin) {
    return boundText(std::abs(bound), margin).substr(1);
}

} // namespace

Interval newcombeInterval(double first, std::int64_t firstCount, double second, std::int64_t secondCount) {
    const Interval one = wilsonInterval(first, firstCount), two = wilsonInterval(second, secondCount);
    const double difference = first - second;
    return {difference - std::hypot(first - one.low, two.high - second),
            difference + std::hypot(one.high - first, second - two.low)};
}

Interval welchInterval(std::span<const double> first, std::span<const double> second) {
    const double one = varianceOfMean(first), two = varianceOfMean(second);
    const double difference = meanOf(first) - meanOf(second);
    if (one + two == 0) { // every seed gave the same
        return {difference, difference};
    }
    const double freedom =
        (one + two) * (one + two) /
        (one * one / static_cast<double>(first.size() - 1) + two * two / static_cast<double>(second.size() - 1));
    const double half = studentQuantile(0.975, freedom) * std::sqrt(one + two);
    return {difference - half, difference + half};
}

std::optional<AccuracyDifference> accuracyDifference(const AccuracySample& sample, const AccuracySample& against,
                                                     double margin) {
    if (sample.runs.empty() || against.runs.empty()) {
        return std::nullopt;
    }
    AccuracyDifference difference{.margin = margin};
    difference.overSeeds =
        sample.runs.size() >= 2 && against.runs.size() >= 2 && (spreads(sample.runs) || spreads(against.runs));
    difference.oneRunEach = sample.runs.size() == 1 && against.runs.size() == 1;
    if (!difference.overSeeds && (sample.pictures < 1 || against.pictures < 1)) {
        return std::nullopt;
    }
    const double mine = meanOf(sample.runs), theirs = meanOf(against.runs);
    const Interval shares = difference.overSeeds ? welchInterval(sample.runs, against.runs)
                                                 : newcombeInterval(mine, sample.pictures, theirs, against.pictures);
    difference.points = 100 * (mine - theirs);
    difference.interval = {100 * shares.low, 100 * shares.high};
    difference.verdict = verdictOn(difference.interval, margin);
    return difference;
}

std::string accuracySentence(const AccuracyDifference& difference, std::string_view name, std::string_view against) {
    const Interval& interval = difference.interval;
    const std::string margin = values::numberText(difference.margin);
    std::string sentence;
    const auto bound = [&](double value) { return boundText(value, difference.margin); };
    const auto size = [&](double value) { return sizeText(value, difference.margin); };
    switch (difference.verdict) {
    case AccuracyVerdict::Equivalent:
        sentence =
            fmt::format("{} and {} are equivalent within {} points: the difference is {} points ({} to {}).", name,
                        against, margin, bound(difference.points), bound(interval.low), bound(interval.high));
        break;
    case AccuracyVerdict::Better:
        sentence = fmt::format("{} is {} to {} points better than {}.", name, size(interval.low), size(interval.high),
                               against);
        break;
    case AccuracyVerdict::Worse:
        sentence = fmt::format("{} is {} to {} points worse than {}.", name, size(interval.high), size(interval.low),
                               against);
        break;
    case AccuracyVerdict::NotShown:
        sentence =
            fmt::format("{} and {} are not shown to be equivalent: the interval {} to {} points reaches beyond "
                        "{} points.",
                        name, against, bound(interval.low), bound(interval.high), margin);
        break;
    }
    return sentence + whatItIsOver(difference);
}

} // namespace halfstep::analysis
