#pragma once
#include "engine/store/run_store.h"
#include <QString>
#include <QVariant>

namespace halfstep::ui {

/// Columns of the run table, in the order in which they stand: what one compares before what one compares it under,
/// so that the step times show without scrolling in a window of 1280 pixels.
enum class RunColumn {
    Run,
    Name,
    State,
    Policy,
    BatchSize,
    StepMilliseconds,
    ImagesPerSecond,
    ValAccuracy,
    Data,
    ImageSize,
    Device,
    Epochs,
    Steps,
    Skipped,
    Started,
};
inline constexpr int kRunColumns = static_cast<int>(RunColumn::Started) + 1;

/// A cell as the table shows it, as it sorts, and as it is copied: numbers in full precision.
struct RunCell {
    QString shown;
    QVariant sorted; ///< a number or a text; invalid where there is none
    QString copied;
};

RunCell runCell(const store::StoredRun& run, RunColumn column);

QString runColumnTitle(RunColumn column);
/// What the title stands for, in a sentence.
QString runColumnToolTip(RunColumn column);
/// Numbers stand at the right, with their points below each other.
bool isNumeric(RunColumn column);

/// "run 3", or "run 3 · a name"
QString runTitle(const store::StoredRun& run);

} // namespace halfstep::ui
