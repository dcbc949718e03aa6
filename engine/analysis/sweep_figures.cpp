#include "engine/analysis/sweep_figures.h"
#include "engine/analysis/statistics.h"
#include "engine/tensor/random.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace halfstep::analysis {
namespace {

using values::CellRound;
using values::CellStatus;
using values::SweepCell;

constexpr int kResamples = 2000;
constexpr std::uint64_t kSeed = 1;
/// A cell is disturbed if its quartiles lie further apart than this share of the median,
constexpr double kWidestSpread = 0.25;
/// or if the medians of its rounds do,
constexpr double kFurthestRounds = 0.25;
/// or if other processes took more than this share of the machine.
constexpr double kMostFromElsewhere = 0.10;

/// The median of a sample that may be reordered; it is not empty.
double medianInPlace(std::vector<double>& sample) {
    const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
    std::nth_element(sample.begin(), middle, sample.end());
    if (sample.size() % 2 == 1) {
        return *middle;
    }
    return (*middle + *std::max_element(sample.begin(), middle)) / 2;
}

const CellRound* roundOf(const SweepCell& cell, int round) {
    const auto found = std::ranges::find(cell.rounds, round, &CellRound::round);
    return found == cell.rounds.end() ? nullptr : &*found;
}

/// Rounds that all of `cells` have, with timed steps.
std::vector<int> commonRounds(const std::vector<const SweepCell*>& cells) {
    std::vector<int> rounds;
    for (const CellRound& round : cells.front()->rounds) {
        const bool everywhere = std::ranges::all_of(cells, [&](const SweepCell* cell) {
            const CellRound* own = roundOf(*cell, round.round);
            return own != nullptr && !own->stepMilliseconds.empty();
        });
        if (everywhere) {
            rounds.push_back(round.round);
        }
    }
    return rounds;
}

/// Median of steps drawn with replacement within the rounds `drawn`.
double resampledMedian(const SweepCell& cell, const std::vector<int>& drawn, tensor::Random& random,
                       std::vector<double>& sample) {
    sample.clear();
    for (const int round : drawn) {
        const std::vector<double>& steps = roundOf(cell, round)->stepMilliseconds;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            sample.push_back(steps[random.below(steps.size())]);
        }
    }
    return medianInPlace(sample);
}

std::vector<int> drawnRounds(const std::vector<int>& rounds, tensor::Random& random) {
    std::vector<int> drawn;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        drawn.push_back(rounds[random.below(rounds.size())]);
    }
    return drawn;
}

Interval middle95(const std::vector<double>& sample) {
    return {quantile(sample, 0.025).value_or(0), quantile(sample, 0.975).value_or(0)};
}

Interval intervalOfMedian(const SweepCell& cell) {
    const std::vector<int> rounds = commonRounds({&cell});
    tensor::Random random(kSeed);
    std::vector<double> medians, sample;
    for (int i = 0; i < kResamples; ++i) {
        const std::vector<int> drawn = drawnRounds(rounds, random);
        medians.push_back(resampledMedian(cell, drawn, random, sample));
    }
    return middle95(medians);
}

std::vector<double> timedSteps(const SweepCell& cell) {
    std::vector<double> steps;
    for (const CellRound& round : cell.rounds) {
        steps.insert(steps.end(), round.stepMilliseconds.begin(), round.stepMilliseconds.end());
    }
    return steps;
}

std::string ratioText(double ratio) {
    return ratio < 10 ? fmt::format("{:.2f}x", ratio) : fmt::format("{:.1f}x", ratio);
}

std::string wordFor(double ratio, const Interval& interval) {
    if (interval.low > 1) {
        return ratioText(ratio) + " faster";
    }
    if (interval.high < 1) {
        return ratioText(ratio) + ", slower";
    }
    return "no difference shown";
}

values::CellKey baselineKey(const values::SweepConfig& config, values::CellKey key) {
    key.policy = config.baseline.policy.value_or(key.policy);
    key.device = config.baseline.device.value_or(key.device);
    key.isa = config.baseline.isa.value_or(key.isa);
    return key;
}

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

/// Why the cell's figures cannot be trusted; empty if they can.
std::string disturbanceOf(const SweepCell& cell, const Quartiles& quartiles) {
    double least = HUGE_VAL, most = 0;
    for (const CellRound& round : cell.rounds) {
        if (round.otherShare.value_or(0) > kMostFromElsewhere) {
            return "Other processes took " + percent(*round.otherShare) + " of the machine in round " +
                   std::to_string(round.round) + "; measure it again when the machine is quiet.";
        }
        if (const auto middle = median(round.stepMilliseconds)) {
            least = std::min(least, *middle);
            most = std::max(most, *middle);
        }
    }
    const double spread = (quartiles.q75 - quartiles.q25) / quartiles.median;
    if (spread > kWidestSpread) {
        return "The middle half of the steps spreads over " + percent(spread) +
               " of the median; measure it again when the machine is quiet.";
    }
    const double apart = (most - least) / quartiles.median;
    if (apart > kFurthestRounds) {
        return "The medians of the rounds lie " + percent(apart) +
               " apart; measure it again when the machine is quiet.";
    }
    return {};
}

CellFigures figuresOf(const SweepCell& cell) {
    CellFigures figures;
    figures.status = cell.status;
    figures.note = cell.message;
    if (cell.predicted) {
        figures.predictedBytes = cell.predicted->peak;
    }
    const std::vector<double> steps = timedSteps(cell);
    if (cell.status != CellStatus::Ok || steps.empty()) {
        return figures;
    }
    const Quartiles quartiles = *analysis::quartiles(steps);
    figures.timedSteps = static_cast<std::int64_t>(steps.size());
    figures.median = quartiles.median;
    figures.q25 = quartiles.q25;
    figures.q75 = quartiles.q75;
    figures.interval = intervalOfMedian(cell);
    figures.imagesPerSecond = cell.key.batchSize * 1000.0 / quartiles.median;
    std::vector<double> waits;
    double warmup = 0;
    std::uint64_t peak = 0;
    for (const CellRound& round : cell.rounds) {
        waits.insert(waits.end(), round.waitMilliseconds.begin(), round.waitMilliseconds.end());
        figures.warmupSteps += static_cast<std::int64_t>(round.warmupMilliseconds.size());
        for (const double milliseconds : round.warmupMilliseconds) {
            warmup += milliseconds;
        }
        peak = std::max(peak, round.peakBytes);
    }
    figures.medianWait = median(waits);
    figures.warmupMilliseconds = warmup;
    figures.peakBytes = peak;
    figures.note = disturbanceOf(cell, quartiles);
    if (!figures.note.empty()) {
        figures.status = CellStatus::Disturbed;
    }
    return figures;
}

} // namespace

std::optional<SpeedUp> speedUpOf(const SweepCell& cell, const SweepCell& baseline) {
    const std::vector<int> rounds = commonRounds({&cell, &baseline});
    if (rounds.empty()) {
        return std::nullopt;
    }
    SpeedUp speedUp;
    speedUp.ratio = *median(timedSteps(baseline)) / *median(timedSteps(cell));
    tensor::Random random(kSeed);
    std::vector<double> ratios, sample;
    for (int i = 0; i < kResamples; ++i) {
        const std::vector<int> drawn = drawnRounds(rounds, random);
        const double over = resampledMedian(baseline, drawn, random, sample);
        ratios.push_back(over / resampledMedian(cell, drawn, random, sample));
    }
    speedUp.interval = middle95(ratios);
    speedUp.word = wordFor(speedUp.ratio, speedUp.interval);
    return speedUp;
}

std::vector<CellFigures> figuresOf(const values::Sweep& sweep) {
    std::vector<CellFigures> list;
    for (const SweepCell& cell : sweep.cells) {
        list.push_back(figuresOf(cell));
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        const SweepCell& cell = sweep.cells[i];
        if (!list[i].median) {
            continue;
        }
        const values::CellKey key = baselineKey(sweep.config, cell.key);
        if (key == cell.key) {
            list[i].speedUp = SpeedUp{1, {1, 1}, "baseline"};
            continue;
        }
        const auto baseline = std::ranges::find(sweep.cells, key, &SweepCell::key);
        if (baseline == sweep.cells.end() || baseline->status != CellStatus::Ok) {
            continue;
        }
        list[i].speedUp = speedUpOf(cell, *baseline);
        const auto place = static_cast<std::size_t>(baseline - sweep.cells.begin());
        if (list[i].speedUp && list[place].status == CellStatus::Disturbed) {
            list[i].speedUp->word += " (disturbed baseline)";
        }
    }
    return list;
}

} // namespace halfstep::analysis
