#pragma once
#include "ui/report/sweep_charts.h"
#include "ui/widgets/theme.h"
#include <QWidget>

class QSettings;

namespace halfstep::ui {

class CurveChart;
class SegmentedSwitch;

/// A sweep over the batch size: ms per step, images per second, speed-up or memory, in the policies' colours.
class SweepScaling : public QWidget {
    Q_OBJECT

public:
    explicit SweepScaling(QSettings* settings, QWidget* parent = nullptr);

    /// Null: no sweep.
    void setSweep(const MeasuredSweepPtr& sweep);
    void showView(ScalingView view);
    void setTheme(const Theme& theme);
    CurveChart* chart() const { return m_chart; }

private:
    void draw();

    MeasuredSweepPtr m_sweep;
    SegmentedSwitch* m_view;
    CurveChart* m_chart;
};

} // namespace halfstep::ui
