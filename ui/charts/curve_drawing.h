#pragma once
#include "engine/analysis/series.h"
#include "ui/widgets/theme.h"
#include <QColor>
#include <QList>
#include <QPointF>
#include <QString>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

class QAbstractAxis;
class QAbstractSeries;
class QAreaSeries;
class QChart;
class QLineSeries;
class QScatterSeries;
class QLogValueAxis;
class QValueAxis;

namespace halfstep::ui {

enum class CurveStyle {
    Thin,
    Bold,
    Points,
    BoldWithPoints,
    Edge, ///< of a band: no line of its own
};

/// How a curve looks; its numbers come by setPoints().
struct CurveLook {
    QString name;   ///< in the legend
    QString column; ///< in the CSV: "loss"
    QColor colour;
    CurveStyle style = CurveStyle::Bold;
    Marker marker = Marker::Circle;
    bool inLegend = true;
    bool derived = false;                 ///< from another curve (its average): its gaps are not counted again
    std::optional<std::size_t> bandTo{};  ///< index of the other edge: the space between both is filled
    std::optional<std::size_t> follows{}; ///< index of the curve that it is shown and hidden with
};

struct AxisLook {
    QString title;                              ///< with the unit: "ms / step"
    QString column;                             ///< of x in the CSV: "step"
    std::optional<double> minimum{}, maximum{}; ///< ends that give way to values beyond them; fitted where empty
    bool integers = false;                      ///< ticks at whole numbers
    bool logarithmic = false; ///< of y: powers of ten; points that are not above 0 are gaps, fixed ends do not count
};

/// A curve with its numbers, in order of x.
struct CurveData {
    CurveLook look;
    std::vector<analysis::Point> points;
    bool visible = true;
};

struct Range {
    double from = 0;
    double to = 1;
};

/// x from 0 to `until` is shaded; nothing where `until` is 0.
struct Shade {
    double until = 0;
    QString name; ///< in the legend: "warm-up"
};

/// What is drawn of a curve in one picture, at most.
inline constexpr std::size_t kDrawnPoints = 1000;

/// Axes and series on one QChart. Keeps its series from update to update: a redraw is one replace() per stretch.
class CurveDrawing {
public:
    /// Adds the axes and one set of series per curve to an empty chart, which must outlive the drawing.
    CurveDrawing(QChart& chart, const AxisLook& x, const AxisLook& y, const std::vector<CurveData>& curves,
                 const Shade& shade, const Theme& theme);

    /// Draws the numbers; `zoom` is the part of x to show, or everything.
    void update(const std::vector<CurveData>& curves, const Shade& shade, const std::optional<Range>& zoom);
    /// A ring around one point, or none.
    void highlight(const std::optional<analysis::Point>& point, const QColor& colour);

    Range shownX() const;
    /// Where a point lies in the chart's own coordinates: Qt has no axes for ranges below 1e-12, so such curves are
    /// drawn times a power of ten, which the title of y says.
    QPointF placed(const analysis::Point& point) const { return {point.x, point.y * m_yScale}; }
    /// The curve that a legend entry stands for, if any.
    std::optional<std::size_t> curveOf(const QAbstractSeries* series) const;

private:
    struct DrawnCurve {
        std::vector<QLineSeries*> lines; ///< one per stretch between gaps; empty for CurveStyle::Points
        QScatterSeries* dots = nullptr;
        QAreaSeries* band = nullptr;
        QScatterSeries* lone = nullptr; ///< points between two gaps, of which a line shows nothing
    };
    QAbstractAxis* y() const;
    QList<QPointF> placed(const std::vector<analysis::Point>& points) const;
    void scaleY(const Range& shown);
    /// The range that y shows, in the chart's own coordinates.
    Range applyY(const std::vector<CurveData>& curves, const Range& x);
    std::vector<std::span<const analysis::Point>> stretchesOf(std::span<const analysis::Point> points) const;
    void drawCurve(const CurveData& curve, DrawnCurve& drawn, const Range& x);
    void addBand(const CurveLook& look, DrawnCurve& drawn);
    void drawBand(const CurveData& low, const CurveData& high, const DrawnCurve& drawn, const Range& x);
    void drawShade(const Shade& shade, const Range& x, const Range& y);
    QLineSeries* addLine(const CurveLook& look);
    void attach(QAbstractSeries* series);
    void showInLegend(const CurveData& curve, const DrawnCurve& drawn);
    void hideFromLegend(QAbstractSeries* series);

    QChart& m_chart;
    AxisLook m_xLook, m_yLook;
    Theme m_theme;
    QValueAxis* m_x;
    QValueAxis* m_y = nullptr; ///< one of these two
    QLogValueAxis* m_logY = nullptr;
    QAreaSeries* m_shade;
    QLineSeries* m_shadeTop;
    QLineSeries* m_shadeBottom;
    QScatterSeries* m_highlight;
    std::vector<DrawnCurve> m_curves;
    double m_yScale = 1;
};

} // namespace halfstep::ui
