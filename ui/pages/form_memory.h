#pragma once
#include "engine/values/memory.h"
#include "ui/bridge/memory_forecaster.h"
#include <QWidget>

class QLabel;

namespace halfstep::ui {

/// Under the batch size: what the experiment will take of the memory and what is free, in one line that never changes
/// its height, and what that consists of in the tooltip. Where it does not fit, a second line says so.
class FormMemory : public QWidget {
    Q_OBJECT

public:
    explicit FormMemory(QWidget* parent = nullptr);

    /// `counts` and `side` of the pictures, whose file is mapped beside; unknown: nothing is said of it.
    void show(const MemoryForecast& forecast, const std::optional<values::SetCounts>& counts, int side);
    /// Nothing is known, as of an experiment with a mistake.
    void clear();
    /// Free memory says nothing while a run holds its own: then nothing is warned of.
    void setHeldByARun(bool held);

    QString text() const;
    QString warning() const; ///< empty if the experiment fits

private:
    void refresh();

    MemoryForecast m_forecast;
    bool m_known = false;
    bool m_held = false;
    QLabel* m_line;
    QLabel* m_warning;
};

/// What the forecast consists of, a line each; for the tooltip.
QString memoryParts(const MemoryForecast& forecast, const std::optional<values::SetCounts>& counts, int side);

} // namespace halfstep::ui
