#pragma once
#include "ui/charts/curve_drawing.h"
#include "ui/models/seed_groups.h"
#include "ui/widgets/theme.h"
#include <QWidget>

class QCheckBox;
class QSettings;

namespace halfstep::ui {

class CurveChart;
class SegmentedSwitch;

/// The checked runs' loss or accuracy over steps, epochs or seconds, in their policies' colours: training smoothed
/// with the raw values thin behind, or raw; validation as marks. Runs that differ only in their seed can be drawn as
/// their mean, with a band from the lowest to the highest.
class CompareCurves : public QWidget {
    Q_OBJECT

public:
    explicit CompareCurves(QSettings* settings, QWidget* parent = nullptr);

    void setRuns(RunList runs);
    void setTheme(const Theme& theme);
    CurveChart* chart() const { return m_chart; }

private:
    /// A curve to be: its look and its numbers.
    struct Curve {
        CurveLook look;
        std::vector<QPointF> points;
    };
    void draw();
    std::vector<Curve> curvesOf(const RunRecords& records, const QString& title) const;
    std::vector<Curve> bandsOf(const SeedGroup& group, std::size_t firstIndex) const;
    CurveMetric metric() const;
    CurveOver over() const;
    QString column() const;

    RunList m_runs;
    SegmentedSwitch* m_metric;
    SegmentedSwitch* m_over;
    QCheckBox* m_smooth;
    QCheckBox* m_together;
    CurveChart* m_chart;
};

} // namespace halfstep::ui
