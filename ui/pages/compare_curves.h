#pragma once
#include "ui/models/run_comparison.h"
#include "ui/widgets/theme.h"
#include <QWidget>

class QSettings;

namespace halfstep::ui {

class CurveChart;
class SegmentedSwitch;

/// The checked runs' loss or accuracy over steps, epochs or seconds, in their policies' colours: training smoothed
/// with the raw values thin behind, validation as marks.
class CompareCurves : public QWidget {
    Q_OBJECT

public:
    explicit CompareCurves(QSettings* settings, QWidget* parent = nullptr);

    void setRuns(RunList runs);
    void setTheme(const Theme& theme);
    CurveChart* chart() const { return m_chart; }

private:
    void draw();

    RunList m_runs;
    SegmentedSwitch* m_metric;
    SegmentedSwitch* m_over;
    CurveChart* m_chart;
};

} // namespace halfstep::ui
