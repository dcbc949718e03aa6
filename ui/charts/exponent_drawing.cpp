#include "ui/charts/exponent_drawing.h"
#include "ui/charts/axis_ticks.h"
#include "ui/charts/chart_style.h"
#include <QAreaSeries>
#include <QChart>
#include <QCoreApplication>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QValueAxis>
#include <algorithm>

namespace halfstep::ui {

using tensor::ExponentHistogram;

namespace {

constexpr double kGap = 0.12; ///< between two bars, of an exponent
constexpr int kXTicks = 8, kYTicks = 4;

QString say(const char* text) {
    return QCoreApplication::translate("ExponentChart", text);
}

QString legendOf(NumberRange range) {
    switch (range) {
    case NumberRange::Zero:
        return say("becomes 0");
    case NumberRange::Subnormal:
        return say("subnormal");
    case NumberRange::Normal:
        return say("normal");
    case NumberRange::Overflow:
        break;
    }
    return say("overflow");
}

QColor shadeOf(NumberRange range, const Theme& theme) {
    const auto veil = [](QColor colour, float alpha) {
        colour.setAlphaF(alpha);
        return colour;
    };
    switch (range) {
    case NumberRange::Zero:
        return veil(theme.mutedText, 0.35F);
    case NumberRange::Subnormal:
        return veil(theme.warning, 0.25F);
    case NumberRange::Normal:
        return veil(theme.success, 0.12F);
    case NumberRange::Overflow:
        break;
    }
    return veil(theme.danger, 0.30F);
}

/// Where a range of the format begins and ends on the axis, within `x`.
Range edgesOf(NumberRange range, const precision::NumberFormat& format, const Range& x) {
    const std::array<double, 5> edges{x.from, std::clamp<double>(format.subnormalExponent() - 1, x.from, x.to),
                                      std::clamp<double>(format.lowestExponent, x.from, x.to),
                                      std::clamp<double>(format.highestExponent + 1, x.from, x.to), x.to};
    const auto index = static_cast<std::size_t>(range);
    return {edges[index], edges[index + 1]};
}

void addBar(QList<QPointF>& outline, int exponent, double height) {
    const double left = exponent + kGap / 2;
    const double right = exponent + 1 - kGap / 2;
    outline << QPointF(left, 0) << QPointF(left, height) << QPointF(right, height) << QPointF(right, 0);
}

} // namespace

NumberRange numberRangeOf(int exponent, const precision::NumberFormat& format) {
    if (exponent < format.subnormalExponent() - 1) { // less than half of the smallest number
        return NumberRange::Zero;
    }
    if (exponent < format.lowestExponent) {
        return NumberRange::Subnormal;
    }
    return exponent <= format.highestExponent ? NumberRange::Normal : NumberRange::Overflow;
}

std::int64_t ExponentBars::count(int exponent) const {
    const int stored = exponent - shift;
    const bool known = stored >= ExponentHistogram::kLowest && stored <= ExponentHistogram::kHighest;
    return known ? histogram.at(stored) : 0;
}

double ExponentBars::share(int exponent) const {
    return elements > 0 ? static_cast<double>(count(exponent)) / static_cast<double>(elements) : 0;
}

std::optional<std::pair<int, int>> ExponentBars::occupied() const {
    const auto filled = [](std::int64_t count) { return count > 0; };
    const auto& counts = histogram.counts;
    const auto first = std::find_if(counts.begin(), counts.end(), filled);
    if (first == counts.end()) {
        return std::nullopt;
    }
    const auto last = std::find_if(counts.rbegin(), counts.rend(), filled);
    const int base = ExponentHistogram::kLowest + shift;
    return std::pair(base + static_cast<int>(first - counts.begin()),
                     base + static_cast<int>(counts.rend() - last) - 1);
}

ExponentDrawing::ExponentDrawing(QChart& chart, const ExponentBars& bars, const std::optional<Range>& zoom,
                                 const Theme& theme)
    : m_bars(bars),
      m_theme(theme),
      m_x(new QValueAxis),
      m_y(new QValueAxis),
      m_highlight(new QLineSeries) {
    for (QValueAxis* axis : {m_x, m_y}) {
        axis->setTickType(QValueAxis::TicksDynamic);
        axis->setTickAnchor(0);
        styleAxis(*axis, theme);
    }
    m_x->setTitleText(say("binary exponent of the elements (powers of 2)"));
    m_x->setGridLineVisible(false);
    m_y->setTitleText(say("share of the elements, %"));
    chart.addAxis(m_x, Qt::AlignBottom);
    chart.addAxis(m_y, Qt::AlignLeft);

    const Range x = zoom.value_or(Range{static_cast<double>(bars.from), static_cast<double>(bars.to)});
    QList<QPointF> outline;
    double highest = 0;
    if (const auto occupied = bars.occupied()) {
        for (int exponent = occupied->first; exponent <= occupied->second; ++exponent) {
            if (const double percent = 100 * bars.share(exponent); percent > 0) {
                addBar(outline, exponent, percent);
                highest = std::max(highest, percent);
            }
        }
    }
    const Ticks yTicks = niceTicks(0, highest > 0 ? highest * 1.05 : 1, kYTicks);
    applyTicks(*m_x, ticksInside(x.from, x.to, kXTicks, true));
    applyTicks(*m_y, yTicks);

    for (const NumberRange range : kNumberRanges) {
        const Range edges = edgesOf(range, bars.format, x);
        auto* top = new QLineSeries;
        if (edges.from < edges.to) {
            *top << QPointF(edges.from, yTicks.to) << QPointF(edges.to, yTicks.to);
        }
        addArea(chart, top, legendOf(range), shadeOf(range, theme));
    }
    auto* tops = new QLineSeries;
    tops->replace(outline);
    addArea(chart, tops, {}, bars.colour);
    addArea(chart, m_highlight, {}, theme.text);
}

void ExponentDrawing::addArea(QChart& chart, QLineSeries* top, const QString& name, const QColor& colour) {
    auto* bottom = new QLineSeries;
    if (top->count() > 0) {
        *bottom << QPointF(top->at(0).x(), 0) << QPointF(top->at(top->count() - 1).x(), 0);
    }
    auto* area = new QAreaSeries(top, bottom);
    top->setParent(area);
    bottom->setParent(area);
    area->setName(name);
    chart.addSeries(area);
    area->attachAxis(m_x);
    area->attachAxis(m_y);
    area->setPen(Qt::NoPen);
    area->setBrush(colour);
    for (QLegendMarker* marker : chart.legend()->markers(area)) {
        marker->setShape(QLegend::MarkerShapeRectangle);
        marker->setPen(QPen(m_theme.mutedText, 1));
        marker->setBrush(colour);
        marker->setVisible(!name.isEmpty());
    }
}

Range ExponentDrawing::shownX() const {
    return {m_x->min(), m_x->max()};
}

void ExponentDrawing::highlight(const std::optional<int>& exponent) {
    QList<QPointF> outline;
    if (exponent) {
        addBar(outline, *exponent, 100 * m_bars.share(*exponent));
    }
    m_highlight->replace(outline);
}

} // namespace halfstep::ui
