#pragma once
#include "ui/charts/chart_panel.h"
#include "ui/charts/curve_drawing.h"
#include <QPointF>
#include <optional>
#include <vector>

namespace halfstep::ui {

/// Lines and points over a common x. Any number of points may be given: what is drawn is their min-max envelope of at
/// most 1000 points. Points that are not finite are gaps, and the panel says how many are not drawn.
///
/// Wheel zooms at the mouse, double click or 0 resets, + and - zoom by keyboard, left and right read point by point.
class CurveChart : public ChartPanel {
    Q_OBJECT

public:
    CurveChart(const QString& title, AxisLook x, AxisLook y, QSettings* settings, QWidget* parent = nullptr);
    ~CurveChart() override;

    /// Other titles, columns and ends; the curves, and a logarithmic y, stay.
    void setAxes(AxisLook x, AxisLook y);
    /// Replaces all curves.
    void setCurves(const std::vector<CurveLook>& looks);
    std::size_t curveCount() const { return m_curves.size(); }
    /// The numbers of a curve in order of x. Nothing is drawn until refresh().
    void setPoints(std::size_t curve, const std::vector<QPointF>& points);
    /// One more at the end.
    void addPoint(std::size_t curve, QPointF point);
    std::vector<QPointF> points(std::size_t curve) const;
    /// x from 0 to here is shaded and named in the legend ("warm-up"); 0 for none.
    void setShadedUntil(double x, const QString& name);
    /// Draws what has changed since the last time; call at most ten times a second.
    void refresh();

    void setCurveVisible(std::size_t curve, bool visible);
    bool isCurveVisible(std::size_t curve) const;
    /// Points of visible curves that are not finite, those of derived curves left out.
    std::size_t notDrawn() const;
    /// Likewise points of 0 and below on a logarithmic axis.
    std::size_t notAboveZero() const;

    /// Offers a logarithmic y in the menu; what is chosen is remembered in the settings under `key`.
    void offerLogarithm(const QString& key);
    void setLogarithmic(bool logarithmic);
    bool isLogarithmic() const { return m_y.logarithmic; }

    bool isEmpty() const override;
    std::unique_ptr<QChart> drawing(const Theme& theme) const override;
    QString csv() const override;

public slots:
    void resetZoom() override;

protected:
    void themeChanged() override;
    void fillMenu(QMenu& menu) override;

private:
    struct Reading {
        std::size_t curve = 0;
        std::size_t point = 0;
    };
    void draw();
    void zoom(double factor, const QPointF& at);
    void readAt(const QPointF& at);
    void readNext(int direction);
    void showReading(std::optional<Reading> reading);
    std::size_t countOf(bool (*isLeftOut)(const analysis::Point&)) const;
    QString leftOut() const;
    void connectLegend();

    std::vector<CurveData> m_curves;
    AxisLook m_x, m_y;
    QString m_logarithmKey; ///< of the settings; empty: not offered
    Shade m_shade;
    std::optional<Range> m_zoom; ///< of x; empty: everything
    std::optional<Reading> m_reading;
    bool m_dirty = false;
    std::unique_ptr<CurveDrawing> m_drawing; ///< on the view's chart
};

} // namespace halfstep::ui
