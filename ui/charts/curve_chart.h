#pragma once
#include "ui/charts/chart_panel.h"
#include <QColor>
#include <QPointF>
#include <optional>
#include <vector>

class QAbstractSeries;
class QValueAxis;
class QXYSeries;

namespace halfstep::ui {

enum class CurveStyle { Thin, Bold, Points, BoldWithPoints };

/// How a curve looks; its numbers come by setPoints().
struct CurveLook {
    QString name;       ///< in the legend
    QString column;     ///< in the CSV: "loss"
    QColor colour;
    CurveStyle style = CurveStyle::Bold;
    Marker marker = Marker::Circle;
    bool inLegend = true;
};

struct AxisLook {
    QString title;  ///< with the unit: "ms / step"
    QString column; ///< of x in the CSV: "step"
    std::optional<double> minimum, maximum; ///< fixed ends; fitted to the finite values where empty
    bool integers = false;                  ///< ticks at whole numbers
};

/// Lines and points over a common x. Any number of points may be given: what is drawn is their min-max envelope of at
/// most 1000 points. Points that are not finite are gaps, and the panel says how many are not drawn.
///
/// Wheel zooms at the mouse, double click or 0 resets, + and - zoom by keyboard, left and right read point by point.
class CurveChart : public ChartPanel {
    Q_OBJECT

public:
    CurveChart(const QString& title, AxisLook x, AxisLook y, QSettings* settings, QWidget* parent = nullptr);
    ~CurveChart() override;

    /// Replaces all curves.
    void setCurves(const std::vector<CurveLook>& looks);
    std::size_t curveCount() const { return m_curves.size(); }
    /// The numbers of a curve in order of x. Nothing is drawn until refresh().
    void setPoints(std::size_t curve, std::vector<QPointF> points);
    const std::vector<QPointF>& points(std::size_t curve) const;
    /// x from 0 to here is shaded and named in the legend ("warm-up"); 0 for none.
    void setShadedUntil(double x, const QString& name);
    /// Draws what has changed since the last time; call at most ten times a second.
    void refresh();

    void setCurveVisible(std::size_t curve, bool visible);
    bool isCurveVisible(std::size_t curve) const;
    /// Points of visible curves that are not finite.
    std::size_t notDrawn() const;

    bool isEmpty() const override;
    std::unique_ptr<QChart> drawing(const Theme& theme) const override;
    QString csv() const override;

public slots:
    void resetZoom() override;

protected:
    void themeChanged() override;
    void fillMenu(QMenu& menu) override;

private:
    struct Curve;
    struct Drawn;
    std::vector<Curve> m_curves;
    AxisLook m_x, m_y;
    double m_shadedUntil = 0;
    QString m_shadeName;
    std::unique_ptr<Drawn> m_drawn;
};

} // namespace halfstep::ui
