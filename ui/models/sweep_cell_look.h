#pragma once
#include "engine/analysis/article_tables.h"
#include "ui/bridge/measured_sweep.h"
#include <QMetaType>
#include <QString>
#include <optional>

namespace halfstep::ui {

enum class Tone { Muted, Good, Bad, Warning };

/// What a cell of the grid shows, from top to bottom.
struct CellLook {
    values::CellStatus status = values::CellStatus::NotRun;
    QString large{}; ///< "251 ms", "OOM"
    QString small{}; ///< "249 to 254 · 127 images/s", "wants 612 MB, 400 MB free"
    QString word{};  ///< "1.42x faster", "batch 25 fits"
    Tone tone = Tone::Muted;
    QString article{}; ///< "V100: 28 ms, 1.07x faster"; empty without an overlay
    QString toolTip{};
    QString copy{};               ///< ms per step in full precision; "OOM"; empty where nothing was measured
    std::optional<double> sort{}; ///< ms per step
    bool measuring = false;       ///< right now
};

/// Of cell `index` of the sweep; `step` is the step that it has got to, if it is being measured.
CellLook cellLook(const MeasuredSweep& measured, std::size_t index, const std::optional<values::SweepStep>& step);

/// Adds what the article says of this policy and batch size; nothing where it says nothing.
void addArticle(CellLook& look, const analysis::ArticleMachine& machine, precision::Policy policy, int batchSize);

/// What is suspect about the machine's figures, one sentence each, with the sign that the cells bear: "(*) Printed
/// …".
QStringList articleDoubts(const analysis::ArticleMachine& machine);

} // namespace halfstep::ui

Q_DECLARE_METATYPE(halfstep::ui::CellLook)
