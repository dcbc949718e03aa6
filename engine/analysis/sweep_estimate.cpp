#include "engine/analysis/sweep_estimate.h"
#include <algorithm>
#include <numeric>

namespace halfstep::analysis {
namespace {

using values::CellStatus;
using values::SweepCell;

std::int64_t roundsLeft(const SweepCell& cell, const values::SweepConfig& config) {
    const bool runs = cell.status == CellStatus::Ok || cell.status == CellStatus::NotRun;
    return runs ? std::max<std::int64_t>(config.repeats - static_cast<std::int64_t>(cell.rounds.size()), 0) : 0;
}

double millisecondsOf(const values::CellRound& round) {
    const auto sum = [](const std::vector<double>& times) {
        return std::accumulate(times.begin(), times.end(), 0.0);
    };
    return sum(round.warmupMilliseconds) + sum(round.stepMilliseconds) + sum(round.waitMilliseconds);
}

/// What rounds took, over what they were of.
struct Rate {
    double milliseconds = 0, amount = 0;

    void add(const SweepCell& cell, double amountOfRound) {
        for (const values::CellRound& round : cell.rounds) {
            milliseconds += millisecondsOf(round);
            amount += amountOfRound;
        }
    }
    bool known() const { return amount > 0; }
    double of(double some) const { return milliseconds / amount * some; }
};

} // namespace

std::int64_t cellRoundsLeft(const values::Sweep& sweep) {
    std::int64_t left = 0;
    for (const SweepCell& cell : sweep.cells) {
        left += roundsLeft(cell, sweep.config);
    }
    return left;
}

std::optional<double> secondsLeft(const values::Sweep& sweep) {
    double milliseconds = 0;
    for (const SweepCell& cell : sweep.cells) {
        const auto left = static_cast<double>(roundsLeft(cell, sweep.config));
        if (left == 0) {
            continue;
        }
        Rate own, ofPolicy, ofAny;
        own.add(cell, cell.key.batchSize);
        for (const SweepCell& other : sweep.cells) {
            ofAny.add(other, other.key.batchSize);
            if (other.key.policy == cell.key.policy) {
                ofPolicy.add(other, other.key.batchSize);
            }
        }
        const Rate& best = own.known() ? own : ofPolicy.known() ? ofPolicy : ofAny;
        if (!best.known()) {
            return std::nullopt;
        }
        milliseconds += left * best.of(cell.key.batchSize);
    }
    return milliseconds / 1000;
}

} // namespace halfstep::analysis
