#pragma once
#include "engine/values/sweep.h"
#include <optional>
#include <string>
#include <vector>

namespace halfstep::analysis {

/// 95 % confidence.
struct Interval {
    double low = 0;
    double high = 0;
    bool operator==(const Interval&) const = default;
};

/// How much faster a cell is than its baseline.
struct SpeedUp {
    double ratio = 1; ///< time of the baseline / time of the cell, an image
    Interval interval{};
    std::string word{}; ///< "1.42x faster", "0.8x, slower", "no difference shown", "baseline"; with "(disturbed
                        ///< baseline)" after it where the baseline's figures cannot be trusted
};

/// What the measurements of one cell say.
struct CellFigures {
    values::CellStatus status = values::CellStatus::NotRun; ///< Disturbed where the measurements cannot be trusted
    std::string note{};                                     ///< why: a sentence; empty for Ok and NotRun
    std::int64_t timedSteps = 0;
    std::optional<double> median{}; ///< ms of a step; this and what follows is empty without timed steps
    std::optional<double> q25{}, q75{};
    std::optional<Interval> interval{}; ///< of the median
    std::optional<double> imagesPerSecond{};
    std::optional<SpeedUp> speedUp{};   ///< empty if the baseline was not measured
    std::optional<double> medianWait{}; ///< ms of waiting for data before a step
    std::int64_t warmupSteps = 0;
    std::optional<double> warmupMilliseconds{}; ///< of all warm-up steps together
    std::optional<std::uint64_t> predictedBytes{};
    std::optional<std::uint64_t> peakBytes{};
};

/// A cell beside another one: the bootstrap takes the same rounds of both, since they were measured side by side, so
/// that what disturbed both alike does not hide a difference. Nothing if they share no round. Seeded, as figuresOf().
std::optional<SpeedUp> speedUpOf(const values::SweepCell& cell, const values::SweepCell& baseline);

/// One for each cell of the sweep, in its order.
///
/// The interval is a bootstrap's: rounds are drawn with replacement, then steps within each, 2,000 times; 2.5 %
/// and 97.5 % of the medians. For a speed-up both cells take the same rounds, since they were measured side by side.
/// Seeded, so that the same measurements give the same figures.
std::vector<CellFigures> figuresOf(const values::Sweep& sweep);

} // namespace halfstep::analysis
