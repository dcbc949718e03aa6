#pragma once
#include "engine/analysis/statistics.h"
#include "ui/bridge/run_history.h"
#include <QPointF>
#include <QString>
#include <memory>
#include <vector>

namespace halfstep::ui {

using RunList = std::vector<std::shared_ptr<const RunRecords>>;

/// The timed steps of all runs under the same conditions, together.
struct StepTimeCell {
    QString conditions; ///< "batch 32", with what else differs between the runs: "batch 32, 256 px"
    precision::Policy policy{};
    analysis::Quartiles milliseconds;
    std::size_t steps = 0; ///< that were timed
};

/// One cell for each policy under each conditions: batch size, image size, data, device, instruction set, threads,
/// convolution and optimizer. Ordered by batch size, then conditions, then policy. Runs without a timed step are left
/// out.
std::vector<StepTimeCell> stepTimeCells(const RunList& runs);

/// What the cells say of each 16-bit policy against float32 under the same conditions, one sentence each:
/// "mixed_float16 is 1.12x faster than float32 at batch 32: 251 ms against 281 ms a step." Where the middle halves of
/// both overlap, no difference is shown. One sentence says what is missing if nothing can be compared.
QStringList speedUpSentences(const std::vector<StepTimeCell>& cells);

/// Whether the policies learn equally well, a statement with its 95 % interval for each that differs from float32 (or
/// the first policy) in nothing else but seeds: report::accuracyTables.
QStringList accuracySentences(const RunList& runs);

enum class CurveMetric { Loss, Accuracy };
enum class CurveOver { Step, Epoch, Seconds };

/// The curves of one run: raw and smoothed training, validation once an epoch.
struct RunCurves {
    std::vector<QPointF> raw;
    std::vector<QPointF> smoothed;
    std::vector<QPointF> validation;
};

/// Seconds are those of training with the waits for data, and of validation at the end of each epoch.
RunCurves runCurves(const RunRecords& records, CurveMetric metric, CurveOver over);

} // namespace halfstep::ui
