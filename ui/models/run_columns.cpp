#include "ui/models/run_columns.h"
#include "engine/values/number_text.h"
#include "ui/format/format.h"
#include <array>
#include <string_view>

namespace halfstep::ui {
namespace {

struct ColumnLook {
    const char* title;
    const char* toolTip;
    bool numeric;
};

constexpr std::array<ColumnLook, kRunColumns> kLooks{{
    {"Run", "Number of the run in the history; the check box puts it into the charts", true},
    {"Name", "As given when it was started", false},
    {"State", "How the run ended", false},
    {"Policy", "Which dtypes the run computed and kept its weights in", false},
    {"Batch", "Photographs in a step", true},
    {"ms / step", "Median of the full batches after warm-up, without waiting for data", true},
    {"Images / s", "Batch size over the median step", true},
    {"Val acc.", "Share of the validation photographs that the last epoch got right", true},
    {"Data", "The set of photographs", false},
    {"Image", "Side of the photographs as the network sees them, in pixels", true},
    {"Device", "Where the steps were computed", false},
    {"Epochs", "Passes through the training photographs that were completed", true},
    {"Steps", "Training steps done, skipped ones included", true},
    {"Skipped", "Steps whose gradients were not finite: only the loss scale changed", true},
    {"Started", "Local time", false},
}};

RunCell textCell(const std::string& text) {
    const QString value = QString::fromStdString(text);
    return {text.empty() ? absent() : value, text.empty() ? QVariant() : QVariant(value), value};
}

RunCell wholeCell(std::int64_t value) {
    return {count(value), static_cast<qlonglong>(value), QString::number(value)};
}

RunCell numberCell(std::optional<double> value, QString (*show)(double)) {
    if (!value) {
        return {absent(), {}, {}};
    }
    return {show(*value), *value, QString::fromStdString(values::numberText(*value))};
}

std::optional<double> imagesPerSecond(const store::StoredRun& run) {
    if (!run.medianStepMilliseconds || *run.medianStepMilliseconds <= 0) {
        return std::nullopt;
    }
    return run.config.batchSize * 1000.0 / *run.medianStepMilliseconds;
}

/// One decimal throughout, so that the points stand below each other.
QString oneDecimal(double value) {
    return fixed(value, 1);
}

QString percentText(double share) {
    return percent(share);
}

std::string deviceOf(const store::StoredRun& run) {
    const std::string& device = run.environment.device.empty() ? run.config.device : run.environment.device;
    return run.environment.isa.empty() ? device : device + ' ' + run.environment.isa;
}

} // namespace

RunCell runCell(const store::StoredRun& run, RunColumn column) {
    switch (column) {
    case RunColumn::Run:
        return wholeCell(run.id);
    case RunColumn::Name:
        return run.config.name.empty() ? RunCell{} : textCell(run.config.name);
    case RunColumn::State:
        return textCell(std::string(values::nameOf(run.status)));
    case RunColumn::Data:
        return textCell(run.dataName);
    case RunColumn::Policy:
        return textCell(std::string(precision::traitsOf(run.config.policy).name));
    case RunColumn::BatchSize:
        return wholeCell(run.config.batchSize);
    case RunColumn::ImageSize:
        return wholeCell(run.config.imageSize);
    case RunColumn::Device:
        return textCell(deviceOf(run));
    case RunColumn::Epochs:
        return wholeCell(run.epochsDone);
    case RunColumn::Steps:
        return wholeCell(run.stepsDone);
    case RunColumn::Skipped:
        return wholeCell(run.skippedSteps);
    case RunColumn::StepMilliseconds:
        return numberCell(run.medianStepMilliseconds, oneDecimal);
    case RunColumn::ImagesPerSecond:
        return numberCell(imagesPerSecond(run), oneDecimal);
    case RunColumn::ValAccuracy:
        return numberCell(run.lastEpoch ? run.lastEpoch->valAccuracy : std::nullopt, percentText);
    case RunColumn::Started: {
        const QString iso = QString::fromStdString(run.startedAt);
        return {localTime(iso), iso, iso}; // ISO 8601 sorts as text
    }
    }
    return {};
}

QString runColumnTitle(RunColumn column) {
    return QString::fromUtf8(kLooks[static_cast<std::size_t>(column)].title);
}

QString runColumnToolTip(RunColumn column) {
    return QString::fromUtf8(kLooks[static_cast<std::size_t>(column)].toolTip);
}

bool isNumeric(RunColumn column) {
    return kLooks[static_cast<std::size_t>(column)].numeric;
}

QString runTitle(const store::StoredRun& run) {
    const QString number = QStringLiteral("run %1").arg(run.id);
    return run.config.name.empty() ? number
                                   : QStringLiteral("%1 · %2").arg(number, QString::fromStdString(run.config.name));
}

} // namespace halfstep::ui
