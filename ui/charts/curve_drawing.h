#pragma once
#include "engine/analysis/series.h"
#include "ui/widgets/theme.h"
#include <QColor>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

class QAbstractSeries;
class QAreaSeries;
class QChart;
class QLineSeries;
class QScatterSeries;
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
    bool derived = false;                ///< from another curve (its average): its gaps are not counted again
    std::optional<std::size_t> bandTo{}; ///< index of the other edge: the space between both is filled
};

struct AxisLook {
    QString title;                              ///< with the unit: "ms / step"
    QString column;                             ///< of x in the CSV: "step"
    std::optional<double> minimum{}, maximum{}; ///< fixed ends; fitted to the finite values where empty
    bool integers = false;                      ///< ticks at whole numbers
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
    /// The curve that a legend entry stands for, if any.
    std::optional<std::size_t> curveOf(const QAbstractSeries* series) const;

private:
    struct DrawnCurve {
        std::vector<QLineSeries*> lines; ///< one per stretch between gaps; empty for CurveStyle::Points
        QScatterSeries* dots = nullptr;
        QAreaSeries* band = nullptr;
    };
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
    QValueAxis* m_y;
    QAreaSeries* m_shade;
    QLineSeries* m_shadeTop;
    QLineSeries* m_shadeBottom;
    QScatterSeries* m_highlight;
    std::vector<DrawnCurve> m_curves;
};

} // namespace halfstep::ui
