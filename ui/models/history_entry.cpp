#include "ui/models/history_entry.h"
#include "engine/values/number_text.h"
#include "ui/format/format.h"
#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace halfstep::ui {
namespace {
using values::CellStatus;
using values::RunStatus;

QString tr(const char* text) {
    return QCoreApplication::translate("HistoryEntry", text);
}

QString textOf(const std::string& text) {
    return QString::fromStdString(text);
}

QString dot() {
    return QStringLiteral(" · ");
}

QString counted(std::size_t number, const char* one, const char* many) {
    return count(static_cast<std::int64_t>(number)) + QLatin1Char(' ') + tr(number == 1 ? one : many);
}

template <typename Values, typename Name>
QString listed(const Values& values, Name name) {
    QStringList texts;
    for (const auto& value : values) {
        texts << name(value);
    }
    return texts.join(QStringLiteral(", "));
}

using Facts = std::vector<std::pair<QString, QString>>;

void add(Facts& facts, const char* name, const QString& value) {
    if (!value.isEmpty()) {
        facts.emplace_back(tr(name), value);
    }
}

void addSettings(Facts& facts, const values::ExperimentConfig& config) {
    add(facts, "Image size", QStringLiteral("%1 px").arg(config.imageSize));
    add(facts, "Optimizer",
        textOf(std::string(values::nameOf(config.optimizer))) + dot() +
            tr("learning rate %1").arg(textOf(values::numberText(config.learningRate))));
    add(facts, "Seed", QString::number(config.seed));
    add(facts, "Convolution", textOf(config.convolution));
    if (config.memoryLimitBytes) {
        add(facts, "Memory limit", bytes(*config.memoryLimitBytes));
    }
    add(facts, "First weights", textOf(config.weights));
    add(facts, "Checkpoints", textOf(config.checkpoint));
}

void addEnvironment(Facts& facts, const values::Environment& environment) {
    QString device = textOf(environment.device);
    if (!environment.isa.empty()) {
        device += dot() + textOf(environment.isa);
    }
    add(facts, "Device",
        device + dot() + counted(static_cast<std::size_t>(environment.threads), "thread", "threads"));
    add(facts, "Processor", textOf(environment.cpu));
    add(facts, "System", textOf(environment.operatingSystem));
    add(facts, "Program",
        QStringLiteral("Halfstep %1, %2, oneDNN %3")
            .arg(textOf(environment.halfstepVersion), textOf(environment.compiler),
                 textOf(environment.oneDnnVersion)));
    add(facts, "Data fingerprint", textOf(environment.dataFingerprint));
}

void addTimes(HistoryEntry& entry) {
    entry.facts.emplace_back(tr("Started"), localTime(entry.startedAt));
    if (!entry.endedAt.isEmpty()) {
        entry.facts.emplace_back(tr("Ended"), localTime(entry.endedAt));
    }
}

QString whyNotResumed(const store::StoredRun& run) {
    if (run.status == RunStatus::Running) {
        return tr("It is training.");
    }
    if (run.status == RunStatus::Diverged) {
        return tr("It diverged, and would do so again.");
    }
    if (run.config.checkpoint.empty()) {
        return tr("It was made without checkpoints (Advanced, in the experiment).");
    }
    if (run.status == RunStatus::Finished) {
        return tr("It is finished: `halfstep train --resume %1 --epochs N` gives it more epochs.").arg(run.id);
    }
    return {};
}

} // namespace

QString EntryKey::text() const {
    return (kind == Kind::Run ? tr("Run %1") : tr("Sweep %1")).arg(id);
}

HistoryEntry entryOf(const store::StoredRun& run) {
    const values::ExperimentConfig& config = run.config;
    HistoryEntry entry{.key = {EntryKey::Kind::Run, run.id}, .status = run.status};
    entry.what = policyName(config.policy) + dot() + tr("batch %1").arg(config.batchSize) + dot() +
                 tr("%1 px").arg(config.imageSize);
    entry.extent = counted(static_cast<std::size_t>(run.epochsDone), "epoch", "epochs") + dot() +
                   counted(static_cast<std::size_t>(run.stepsDone), "step", "steps");
    QStringList results;
    if (run.lastEpoch && run.lastEpoch->valAccuracy) {
        results << percent(*run.lastEpoch->valAccuracy);
    }
    if (run.medianStepMilliseconds) {
        results << milliseconds(*run.medianStepMilliseconds);
    }
    entry.result = results.join(dot());
    entry.data = textOf(run.dataName);
    entry.name = textOf(config.name);
    entry.startedAt = textOf(run.startedAt);
    entry.endedAt = textOf(run.endedAt);
    entry.message = textOf(run.message);
    entry.noResume = whyNotResumed(run);

    Facts& facts = entry.facts;
    add(facts, "Name", entry.name);
    add(facts, "Policy", policyName(config.policy));
    add(facts, "Batch size", QString::number(config.batchSize));
    add(facts, "Extent", entry.extent + tr(" of %1 epochs").arg(config.epochs));
    if (run.lastEpoch) {
        add(facts, "Accuracy",
            percent(run.lastEpoch->accuracy) + dot() + tr("loss %1").arg(fixed(run.lastEpoch->loss, 3)));
        if (run.lastEpoch->valAccuracy && run.lastEpoch->valLoss) {
            add(facts, "Validation",
                percent(*run.lastEpoch->valAccuracy) + dot() + tr("loss %1").arg(fixed(*run.lastEpoch->valLoss, 3)));
        }
    }
    if (run.medianStepMilliseconds) {
        add(facts, "Step", tr("%1, median").arg(milliseconds(*run.medianStepMilliseconds)));
    }
    if (run.peakBytes > 0) {
        add(facts, "Peak memory", bytes(static_cast<std::uint64_t>(run.peakBytes)));
    }
    if (run.skippedSteps > 0) {
        add(facts, "Skipped steps", count(run.skippedSteps));
    }
    add(facts, "Data", entry.data);
    addSettings(facts, config);
    addEnvironment(facts, run.environment);
    addTimes(entry);
    return entry;
}

HistoryEntry entryOf(const values::Sweep& sweep) {
    const values::SweepConfig& config = sweep.config;
    HistoryEntry entry{.key = {EntryKey::Kind::Sweep, sweep.id}, .status = sweep.status};
    entry.what = counted(config.policies.size(), "policy", "policies") + QStringLiteral(" × ") +
                 counted(config.batchSizes.size(), "batch size", "batch sizes") + dot() +
                 tr("%1 px").arg(config.base.imageSize);
    entry.extent = counted(sweep.cells.size(), "cell", "cells") + dot() +
                   counted(static_cast<std::size_t>(config.repeats), "round", "rounds");
    const auto with = [&](CellStatus status) {
        return static_cast<std::size_t>(std::ranges::count(sweep.cells, status, &values::SweepCell::status));
    };
    const auto measured = static_cast<std::size_t>(
        std::ranges::count_if(sweep.cells, [](const values::SweepCell& cell) { return !cell.rounds.empty(); }));
    entry.result = tr("%1 measured").arg(counted(measured, "cell", "cells"));
    if (const std::size_t oom = with(CellStatus::Oom); oom > 0) {
        entry.result += tr(", %1 OOM").arg(oom);
    }
    entry.data = textOf(sweep.dataName);
    entry.name = textOf(config.base.name);
    entry.startedAt = textOf(sweep.startedAt);
    entry.endedAt = textOf(sweep.endedAt);
    entry.message = textOf(sweep.message);
    entry.noResume = sweep.status == RunStatus::Running    ? tr("It is being measured.")
                     : sweep.status == RunStatus::Finished ? tr("It is complete; Compare can measure more rounds.")
                                                           : QString();

    Facts& facts = entry.facts;
    add(facts, "Name", entry.name);
    add(facts, "Policies", listed(config.policies, policyName));
    add(facts, "Batch sizes", listed(config.batchSizes, [](int batch) { return QString::number(batch); }));
    add(facts, "Devices", listed(config.devices, textOf));
    add(facts, "Instruction sets", listed(config.isas, textOf));
    add(facts, "Steps",
        tr("%1 timed after %2 of warm-up, %3")
            .arg(config.steps)
            .arg(config.warmup)
            .arg(counted(static_cast<std::size_t>(config.repeats), "round", "rounds")));
    add(facts, "Input", config.input == values::SweepInput::Synthetic ? tr("noise that lies ready") : tr("the set"));
    add(facts, "Result", entry.result);
    add(facts, "Data", entry.data);
    addSettings(facts, config.base);
    addEnvironment(facts, sweep.environment);
    add(facts, "Governor", textOf(sweep.governor));
    addTimes(entry);
    return entry;
}

} // namespace halfstep::ui
