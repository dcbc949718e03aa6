#include "ui/charts/curve_drawing.h"
#include "ui/charts/axis_ticks.h"
#include "ui/charts/chart_style.h"
#include "ui/widgets/policy_mark.h"
#include <QAreaSeries>
#include <QChart>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QScatterSeries>
#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <limits>

namespace halfstep::ui {

namespace {

constexpr std::size_t kDrawnDots = 200; ///< each is a graphics item of its own
constexpr std::size_t kStretches = 40;  ///< each is a series of its own; more gaps are bridged
constexpr int kLoneSide = 5;            ///< pixels
constexpr int kXTicks = 6, kYTicks = 5;

/// The smallest range that holds the finite values of visible curves; nothing if there are none.
struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    bool empty() const { return !(low <= high); }
    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

bool isFinite(const analysis::Point& point) {
    return std::isfinite(point.x) && std::isfinite(point.y);
}

Extent extentOfX(const std::vector<CurveData>& curves) {
    Extent extent;
    for (const CurveData& curve : curves) {
        if (curve.visible && !curve.points.empty()) {
            extent.include(curve.points.front().x);
            extent.include(curve.points.back().x);
        }
    }
    return extent;
}

Extent extentOfY(const std::vector<CurveData>& curves, const Range& x, bool positive) {
    Extent extent;
    for (const CurveData& curve : curves) {
        if (curve.visible) {
            for (const analysis::Point& point : analysis::visiblePart(curve.points, x.from, x.to)) {
                if (isFinite(point) && (!positive || point.y > 0)) {
                    extent.include(point.y);
                }
            }
        }
    }
    return extent;
}

Ticks ticksFor(const Extent& extent, const AxisLook& look, int wanted) {
    if (extent.empty()) {
        return niceTicks(look.minimum.value_or(0), look.maximum.value_or(1), wanted, look.integers);
    }
    const double low = std::min(look.minimum.value_or(extent.low), extent.low);
    // Room for half a mark on the smallest plots (5 of 150 pixels), so that the last one is not cut.
    const double room = 0.033 * (extent.high - low);
    const double high = look.maximum ? std::max(*look.maximum, extent.high) : std::max(extent.high + room, low);
    return niceTicks(low, high, wanted, look.integers);
}

constexpr int kMarkerSide = 9;

void setMarker(QScatterSeries& dots, const CurveLook& look, const Theme& theme) {
    dots.setMarkerSize(kMarkerSide);
    dots.setColor(look.colour);
    dots.setBorderColor(theme.card);
    switch (look.marker) {
    case Marker::Circle:
        dots.setMarkerShape(QScatterSeries::MarkerShapeCircle);
        break;
    case Marker::Square:
        dots.setMarkerShape(QScatterSeries::MarkerShapeRectangle);
        break;
    case Marker::Triangle:
        dots.setMarkerShape(QScatterSeries::MarkerShapeTriangle);
        break;
    case Marker::Cross: // Qt has no such shapes: pictures, in the legend too
    case Marker::Plus:
        dots.setMarkerSize(kMarkerSide + 1);
        dots.setLightMarker(markerImage(look.marker, look.colour, kMarkerSide + 1));
        break;
    }
}

QPen penOf(const CurveLook& look) {
    QColor colour = look.colour;
    if (look.style == CurveStyle::Thin) {
        colour.setAlphaF(0.45F);
    }
    QPen pen(colour, look.style == CurveStyle::Thin ? 1.0 : 2.0);
    pen.setCosmetic(true);
    pen.setCapStyle(Qt::RoundCap);
    pen.setJoinStyle(Qt::RoundJoin);
    return pen;
}

} // namespace

CurveDrawing::CurveDrawing(QChart& chart, const AxisLook& x, const AxisLook& y, const std::vector<CurveData>& curves,
                           const Shade& shade, const Theme& theme)
    : m_chart(chart),
      m_xLook(x),
      m_yLook(y),
      m_theme(theme),
      m_x(new QValueAxis),
      m_shadeTop(new QLineSeries),
      m_shadeBottom(new QLineSeries),
      m_highlight(new QScatterSeries) {
    if (y.logarithmic) {
        m_logY = new QLogValueAxis;
        m_logY->setBase(10);
        m_logY->setLabelFormat(QStringLiteral("%g"));
        m_logY->setMinorGridLineVisible(false);
    } else {
        m_y = new QValueAxis;
    }
    for (QValueAxis* axis : {m_x, m_y}) {
        if (axis != nullptr) {
            axis->setTickType(QValueAxis::TicksDynamic);
            axis->setTickAnchor(0);
        }
    }
    for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(m_x), this->y()}) {
        styleAxis(*axis, theme);
    }
    m_x->setTitleText(x.title);
    this->y()->setTitleText(y.title);
    m_x->setGridLineVisible(false);
    chart.addAxis(m_x, Qt::AlignBottom);
    chart.addAxis(this->y(), Qt::AlignLeft);

    m_shade = new QAreaSeries(m_shadeTop, m_shadeBottom);
    m_shadeTop->setParent(m_shade);
    m_shadeBottom->setParent(m_shade);
    m_shade->setName(shade.name);
    attach(m_shade); // first, so that it lies behind the curves
    m_shade->setPen(Qt::NoPen);
    QColor shadeColour = theme.border;
    shadeColour.setAlphaF(0.5F);
    m_shade->setBrush(shadeColour);
    m_shade->setVisible(false);
    for (QLegendMarker* marker : chart.legend()->markers(m_shade)) {
        marker->setShape(QLegend::MarkerShapeRectangle);
        marker->setPen(theme.mutedText);
        marker->setBrush(theme.border);
    }

    m_curves.resize(curves.size());
    for (std::size_t i = 0; i < curves.size(); ++i) { // bands lie behind all lines
        if (curves[i].look.bandTo) {
            addBand(curves[i].look, m_curves[i]);
        }
    }
    for (std::size_t i = 0; i < curves.size(); ++i) {
        DrawnCurve& drawn = m_curves[i];
        const CurveLook& look = curves[i].look;
        if (look.style != CurveStyle::Points && look.style != CurveStyle::Edge) {
            drawn.lines.push_back(addLine(look));
            drawn.lone = new QScatterSeries;
            attach(drawn.lone);
            drawn.lone->setMarkerSize(kLoneSide);
            drawn.lone->setColor(look.colour);
            drawn.lone->setBorderColor(Qt::transparent);
            hideFromLegend(drawn.lone);
        }
        if (look.style == CurveStyle::Points || look.style == CurveStyle::BoldWithPoints) {
            drawn.dots = new QScatterSeries;
            drawn.dots->setName(look.name);
            attach(drawn.dots);
            setMarker(*drawn.dots, look, theme);
        }
    }
    attach(m_highlight);
    m_highlight->setMarkerSize(12);
    m_highlight->setColor(Qt::transparent);
    hideFromLegend(m_highlight);
}

void CurveDrawing::addBand(const CurveLook& look, DrawnCurve& drawn) {
    auto* high = new QLineSeries;
    auto* low = new QLineSeries;
    drawn.band = new QAreaSeries(high, low);
    high->setParent(drawn.band);
    low->setParent(drawn.band);
    drawn.band->setName(look.name);
    attach(drawn.band);
    drawn.band->setPen(Qt::NoPen);
    QColor fill = look.colour;
    fill.setAlphaF(0.18F);
    drawn.band->setBrush(fill);
    hideFromLegend(drawn.band);
}

void CurveDrawing::attach(QAbstractSeries* series) {
    m_chart.addSeries(series);
    series->attachAxis(m_x);
    series->attachAxis(y());
}

QAbstractAxis* CurveDrawing::y() const {
    return m_logY != nullptr ? static_cast<QAbstractAxis*>(m_logY) : m_y;
}

QList<QPointF> CurveDrawing::placed(const std::vector<analysis::Point>& points) const {
    QList<QPointF> list;
    list.reserve(static_cast<qsizetype>(points.size()));
    for (const analysis::Point& point : points) {
        list.append(placed(point));
    }
    return list;
}

void CurveDrawing::scaleY(const Range& shown) {
    constexpr double kNarrowest = 1e-9;
    const double exponent = shown.to - shown.from < kNarrowest
                                ? std::floor(std::log10(std::max(std::abs(shown.from), std::abs(shown.to))) + 1e-9)
                                : 0;
    m_yScale = std::pow(10.0, -exponent);
    y()->setTitleText(exponent == 0
                          ? m_yLook.title
                          : QStringLiteral("%1 (×1e%2)").arg(m_yLook.title).arg(static_cast<int>(exponent)));
}

Range CurveDrawing::applyY(const std::vector<CurveData>& curves, const Range& x) {
    const Extent extent = extentOfY(curves, x, m_logY != nullptr);
    if (m_logY != nullptr) {
        const Decades decades = extent.empty() ? Decades{} : decadesAround(extent.low, extent.high);
        scaleY({decades.from, decades.to});
        // A hair wider, so that the logarithms of the ends do not fall short of their ticks.
        const Range shown{decades.from * m_yScale * (1 - 1e-12), decades.to * m_yScale * (1 + 1e-12)};
        if (m_logY->min() != shown.from || m_logY->max() != shown.to) {
            m_logY->setBase(decades.base);
            m_logY->setMinorTickCount(decades.base == 10 ? 8 : 0); // 2, 3, ... 9
            m_logY->setRange(shown.from, shown.to);
        }
        return shown;
    }
    Ticks ticks = ticksFor(extent, m_yLook, kYTicks);
    scaleY({ticks.from, ticks.to});
    if (m_yScale != 1) {
        ticks = ticksInside(ticks.from * m_yScale, ticks.to * m_yScale, kYTicks, m_yLook.integers);
    }
    applyTicks(*m_y, ticks);
    return {ticks.from, ticks.to};
}

std::vector<std::span<const analysis::Point>>
CurveDrawing::stretchesOf(std::span<const analysis::Point> points) const {
    return m_logY != nullptr ? analysis::positiveStretches(points) : analysis::finiteStretches(points);
}

void CurveDrawing::hideFromLegend(QAbstractSeries* series) {
    for (QLegendMarker* marker : m_chart.legend()->markers(series)) {
        marker->setVisible(false);
    }
}

QLineSeries* CurveDrawing::addLine(const CurveLook& look) {
    auto* line = new QLineSeries;
    line->setName(look.name);
    attach(line);
    line->setPen(penOf(look)); // after addSeries(), which gives the theme's pen
    return line;
}

void CurveDrawing::update(const std::vector<CurveData>& curves, const Shade& shade,
                          const std::optional<Range>& zoom) {
    const Ticks xTicks = zoom ? ticksInside(zoom->from, zoom->to, kXTicks, m_xLook.integers)
                              : ticksFor(extentOfX(curves), m_xLook, kXTicks);
    const Range x{xTicks.from, xTicks.to};
    applyTicks(*m_x, xTicks);
    const Range shownY = applyY(curves, x);
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        drawCurve(curves[i], m_curves[i], x);
        if (m_curves[i].band != nullptr) {
            drawBand(curves[i], curves[*curves[i].look.bandTo], m_curves[i], x);
        }
    }
    drawShade(shade, x, shownY);
}

/// Where an edge is not finite the band goes straight on.
void CurveDrawing::drawBand(const CurveData& low, const CurveData& high, const DrawnCurve& drawn, const Range& x) {
    const auto edge = [&](const CurveData& curve) {
        std::vector<analysis::Point> drawable;
        for (const auto stretch : stretchesOf(analysis::visiblePart(curve.points, x.from, x.to))) {
            drawable.insert(drawable.end(), stretch.begin(), stretch.end());
        }
        return placed(analysis::minMaxEnvelope(drawable, kDrawnPoints));
    };
    drawn.band->lowerSeries()->replace(edge(low));
    drawn.band->upperSeries()->replace(edge(high));
    drawn.band->setVisible(low.visible && high.visible);
    hideFromLegend(drawn.band);
}

void CurveDrawing::drawCurve(const CurveData& curve, DrawnCurve& drawn, const Range& x) {
    const auto part = analysis::visiblePart(curve.points, x.from, x.to);
    std::vector<std::vector<analysis::Point>> stretches;
    for (const auto stretch : stretchesOf(part)) {
        const std::size_t share = std::max<std::size_t>(kDrawnPoints * stretch.size() / part.size(), 4);
        stretches.push_back(analysis::minMaxEnvelope(stretch, share));
    }
    if (drawn.dots != nullptr) {
        std::vector<analysis::Point> all;
        for (const auto& stretch : stretches) {
            all.insert(all.end(), stretch.begin(), stretch.end());
        }
        drawn.dots->replace(placed(analysis::minMaxEnvelope(all, kDrawnDots)));
        drawn.dots->setVisible(curve.visible);
    }
    if (drawn.lone != nullptr) {
        QList<QPointF> lone;
        for (const auto& stretch : stretches) {
            if (stretch.size() == 1 && lone.size() < static_cast<qsizetype>(kDrawnDots)) {
                lone.append(placed(stretch[0]));
            }
        }
        drawn.lone->replace(lone);
        drawn.lone->setVisible(curve.visible);
        hideFromLegend(drawn.lone);
    }
    while (stretches.size() > kStretches) { // join the last ones
        auto& before = stretches[stretches.size() - 2];
        before.insert(before.end(), stretches.back().begin(), stretches.back().end());
        stretches.pop_back();
    }
    while (!drawn.lines.empty() && drawn.lines.size() < stretches.size()) {
        drawn.lines.push_back(addLine(curve.look));
    }
    for (std::size_t i = 0; i < drawn.lines.size(); ++i) {
        drawn.lines[i]->replace(i < stretches.size() ? placed(stretches[i]) : QList<QPointF>());
        drawn.lines[i]->setVisible(curve.visible);
    }
    showInLegend(curve, drawn);
}

void CurveDrawing::showInLegend(const CurveData& curve, const DrawnCurve& drawn) {
    QAbstractSeries* leading = drawn.lines.empty() ? static_cast<QAbstractSeries*>(drawn.dots) : drawn.lines.front();
    if (leading == nullptr) { // an edge of a band
        return;
    }
    for (QLineSeries* line : drawn.lines) {
        if (line != leading) {
            hideFromLegend(line);
        }
    }
    if (drawn.dots != nullptr && drawn.dots != leading) {
        hideFromLegend(drawn.dots);
    }
    // Qt hides the entry with its series; ours stays, faint, to bring the curve back.
    for (QLegendMarker* marker : m_chart.legend()->markers(leading)) {
        QColor label = m_theme.text;
        label.setAlphaF(curve.visible ? 1.0F : 0.4F);
        if (marker->labelBrush().color() != label) {
            marker->setLabelBrush(label);
        }
        marker->setVisible(curve.look.inLegend);
    }
}

void CurveDrawing::drawShade(const Shade& shade, const Range& x, const Range& y) {
    const bool shown = shade.until > x.from && x.from < x.to;
    m_shade->setVisible(shown);
    if (!shown) {
        hideFromLegend(m_shade);
        return;
    }
    const double until = std::min(shade.until, x.to);
    m_shadeTop->replace(QList<QPointF>{{x.from, y.to}, {until, y.to}});
    m_shadeBottom->replace(QList<QPointF>{{x.from, y.from}, {until, y.from}});
}

void CurveDrawing::highlight(const std::optional<analysis::Point>& point, const QColor& colour) {
    m_highlight->setBorderColor(colour);
    m_highlight->replace(point ? QList<QPointF>{placed(*point)} : QList<QPointF>());
}

Range CurveDrawing::shownX() const {
    return {m_x->min(), m_x->max()};
}

std::optional<std::size_t> CurveDrawing::curveOf(const QAbstractSeries* series) const {
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        if (series == m_curves[i].dots || series == m_curves[i].lone ||
            std::ranges::find(m_curves[i].lines, series) != m_curves[i].lines.end()) {
            return i;
        }
    }
    return std::nullopt;
}

} // namespace halfstep::ui
