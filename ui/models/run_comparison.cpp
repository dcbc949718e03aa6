#include "ui/models/run_comparison.h"
#include "engine/analysis/series.h"
#include "engine/report/accuracy_table.h"
#include "ui/format/format.h"
#include <QStringList>
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace halfstep::ui {
namespace {

constexpr double kSmoothing = 0.9; ///< averages over about ten steps

/// What else than the policy decides how long a step takes.
struct Conditions {
    int batchSize = 0;
    int imageSize = 0;
    std::string data;
    std::string device;
    std::string isa;
    int threads = 0;
    std::string convolution;
    values::OptimizerKind optimizer{};
    auto operator<=>(const Conditions&) const = default;
};

Conditions conditionsOf(const store::StoredRun& run) {
    const auto& [config, environment] = std::tie(run.config, run.environment);
    return {.batchSize = config.batchSize,
            .imageSize = config.imageSize,
            .data = run.dataName,
            .device = environment.device.empty() ? config.device : environment.device,
            .isa = environment.isa,
            .threads = environment.threads,
            .convolution = config.convolution,
            .optimizer = config.optimizer};
}

/// The batch size, and of the rest what is not the same for all.
QString conditionsText(const Conditions& one, const std::set<Conditions>& all) {
    const auto differs = [&all, &one](auto member) {
        return std::ranges::any_of(all, [&](const Conditions& other) { return other.*member != one.*member; });
    };
    QStringList parts{QStringLiteral("batch %1").arg(one.batchSize)};
    if (differs(&Conditions::imageSize)) {
        parts << QStringLiteral("%1 px").arg(one.imageSize);
    }
    if (differs(&Conditions::data)) {
        parts << QString::fromStdString(one.data);
    }
    if (differs(&Conditions::device)) {
        parts << QString::fromStdString(one.device);
    }
    if (differs(&Conditions::isa)) {
        parts << QString::fromStdString(one.isa);
    }
    if (differs(&Conditions::threads)) {
        parts << (one.threads == 1 ? QStringLiteral("1 thread") : QStringLiteral("%1 threads").arg(one.threads));
    }
    if (differs(&Conditions::convolution)) {
        parts << QStringLiteral("convolution %1").arg(QString::fromStdString(one.convolution));
    }
    if (differs(&Conditions::optimizer)) {
        const std::string_view name = nameOf(one.optimizer);
        parts << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    return parts.join(QStringLiteral(", "));
}

QString speedUpSentence(const StepTimeCell& cell, const StepTimeCell& float32) {
    const analysis::Quartiles& mine = cell.milliseconds;
    const analysis::Quartiles& theirs = float32.milliseconds;
    const QString name = policyName(cell.policy);
    if (mine.q25 <= theirs.q75 && theirs.q25 <= mine.q75) {
        return QStringLiteral("No difference shown between %1 and float32 at %2: %3 (%4 to %5) against %6 (%7 to %8) "
                              "a step.")
            .arg(name, cell.conditions, milliseconds(mine.median), significant(mine.q25), significant(mine.q75),
                 milliseconds(theirs.median), significant(theirs.q25), significant(theirs.q75));
    }
    const bool faster = mine.median < theirs.median;
    const double ratio = faster ? theirs.median / mine.median : mine.median / theirs.median;
    return QStringLiteral("%1 is %2x %3 than float32 at %4: %5 against %6 a step.")
        .arg(name, fixed(ratio, 2), faster ? QStringLiteral("faster") : QStringLiteral("slower"), cell.conditions,
             milliseconds(mine.median), milliseconds(theirs.median));
}

} // namespace

std::vector<StepTimeCell> stepTimeCells(const RunList& runs) {
    std::map<std::pair<Conditions, precision::Policy>, std::vector<double>> times;
    std::set<Conditions> conditions;
    for (const auto& records : runs) {
        const std::vector<double> timed =
            analysis::timedStepMilliseconds(records->steps, records->run.config.batchSize);
        if (!timed.empty()) {
            const Conditions own = conditionsOf(records->run);
            conditions.insert(own);
            auto& cell = times[{own, records->run.config.policy}];
            cell.insert(cell.end(), timed.begin(), timed.end());
        }
    }
    std::vector<StepTimeCell> cells;
    for (const auto& [key, sample] : times) {
        cells.push_back({.conditions = conditionsText(key.first, conditions),
                         .policy = key.second,
                         .milliseconds = *analysis::quartiles(sample),
                         .steps = sample.size()});
    }
    return cells;
}

QStringList speedUpSentences(const std::vector<StepTimeCell>& cells) {
    QStringList sentences;
    for (const StepTimeCell& cell : cells) {
        const auto float32 = std::ranges::find_if(cells, [&cell](const StepTimeCell& other) {
            return other.policy == precision::Policy::Float32 && other.conditions == cell.conditions;
        });
        if (cell.policy != precision::Policy::Float32 && float32 != cells.end()) {
            sentences << speedUpSentence(cell, *float32);
        }
    }
    if (sentences.isEmpty() && !cells.empty()) {
        sentences << QStringLiteral(
            "Check a float32 run and a 16-bit run with the same batch size and data to see which "
            "is faster.");
    }
    return sentences;
}

QStringList accuracySentences(const RunList& runs) {
    std::vector<report::RunRecord> records;
    for (const auto& one : runs) {
        records.push_back({.run = one->run});
    }
    QStringList sentences;
    for (const report::Table& table : report::accuracyTables(records)) {
        for (const std::string& note : table.notes) {
            sentences << QString::fromStdString(note);
        }
    }
    return sentences;
}

RunCurves runCurves(const RunRecords& records, CurveMetric metric, CurveOver over) {
    std::map<int, std::int64_t> stepsOfEpoch;
    for (const values::StepRecord& step : records.steps) {
        ++stepsOfEpoch[step.epoch];
    }
    // The fullest epoch is a whole one; an epoch that was cut short must not look whole.
    std::int64_t stepsPerEpoch = 1;
    for (const auto& [epoch, steps] : stepsOfEpoch) {
        stepsPerEpoch = std::max(stepsPerEpoch, steps);
    }
    std::map<int, double> secondsBefore; // seconds of the epochs before each, as they were measured whole
    double elapsed = 0;
    for (const values::EpochRecord& epoch : records.epochs) {
        elapsed += epoch.seconds;
        secondsBefore[epoch.epoch + 1] = elapsed;
    }

    RunCurves curves;
    analysis::ExponentialSmoother smoother(kSmoothing);
    int current = 0;
    std::int64_t inEpoch = 0;
    double seconds = 0;
    std::map<int, std::int64_t> lastStep;
    for (const values::StepRecord& step : records.steps) {
        if (step.epoch != current) {
            current = step.epoch;
            inEpoch = 0;
            seconds = std::max(seconds, secondsBefore[current]);
        }
        ++inEpoch;
        seconds += (step.stepMilliseconds + step.dataWaitMilliseconds) / 1000.0;
        lastStep[current] = step.step;
        double x = static_cast<double>(step.step);
        if (over == CurveOver::Epoch) {
            x = current - 1 + static_cast<double>(inEpoch) / static_cast<double>(stepsPerEpoch);
        } else if (over == CurveOver::Seconds) {
            x = seconds;
        }
        const double y = metric == CurveMetric::Loss ? step.loss : step.accuracy;
        curves.raw.emplace_back(x, y);
        curves.smoothed.emplace_back(x, smoother.add(y));
    }
    for (const values::EpochRecord& record : records.epochs) {
        const auto& y = metric == CurveMetric::Loss ? record.valLoss : record.valAccuracy;
        if (!y) {
            continue;
        }
        double x = static_cast<double>(lastStep[record.epoch]);
        if (over == CurveOver::Epoch) {
            x = record.epoch;
        } else if (over == CurveOver::Seconds) {
            x = secondsBefore[record.epoch + 1];
        }
        curves.validation.emplace_back(x, *y);
    }
    return curves;
}

} // namespace halfstep::ui
