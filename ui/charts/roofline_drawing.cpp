#include "ui/charts/roofline_drawing.h"
#include "engine/analysis/roofline.h"
#include "ui/charts/chart_style.h"
#include "ui/charts/part_look.h"
#include "ui/format/format.h"
#include <QChart>
#include <QCoreApplication>
#include <QGraphicsItem>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QPainter>
#include <QScatterSeries>
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace halfstep::ui {

namespace {

constexpr double kSmallestDot = 7, kLargestDot = 20; ///< pixels across
constexpr double kRing = 4;                          ///< pixels around the largest dot

QString say(const char* text) {
    return QCoreApplication::translate("RooflineChart", text);
}

/// Whole decades around some values above 0.
struct Decades {
    double from = 0.1, to = 1000;
};

Decades decadesAround(double least, double most) {
    return {std::pow(10.0, std::floor(std::log10(least))), std::pow(10.0, std::ceil(std::log10(most)))};
}

/// The names of the two ceilings, along them. A graphics item, so that exports have them too.
class RoofNames : public QGraphicsItem {
public:
    RoofNames(QChart& chart, QLineSeries& roof, const values::Ceilings& ceilings, const Decades& x, const Decades& y,
              const Theme& theme)
        : QGraphicsItem(&chart),
          m_chart(chart),
          m_roof(roof),
          m_ceilings(ceilings),
          m_x(x),
          m_y(y),
          m_theme(theme) {
        setZValue(100);
        setAcceptedMouseButtons(Qt::NoButton);
    }

    QRectF boundingRect() const override { return m_chart.rect(); }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override {
        QFont font(QStringLiteral("DejaVu Sans"));
        font.setPixelSize(11);
        painter->setFont(font);
        painter->setPen(m_theme.text);
        painter->setRenderHint(QPainter::Antialiasing);
        const QFontMetricsF metrics(font);
        const QString peak = say("%1 GFLOP/s, multiply-adds").arg(significant(m_ceilings.gflops));
        const QPointF end = m_chart.mapToPosition({m_x.to, m_ceilings.gflops}, &m_roof);
        painter->drawText(end - QPointF(metrics.horizontalAdvance(peak) + 4, 6), peak);
        drawAlongSlope(*painter, metrics, say("%1 GB/s, memory").arg(significant(m_ceilings.memoryGbps())));
    }

private:
    void drawAlongSlope(QPainter& painter, const QFontMetricsF& metrics, const QString& text) const {
        const double gbps = m_ceilings.memoryGbps();
        const double low = std::max(m_x.from, m_y.from / gbps), ridge = analysis::ridgeOf(m_ceilings);
        const QPointF from = m_chart.mapToPosition({low, low * gbps}, &m_roof);
        const QPointF to = m_chart.mapToPosition({ridge, m_ceilings.gflops}, &m_roof);
        const QPointF way = to - from;
        const double length = std::hypot(way.x(), way.y());
        if (length < metrics.horizontalAdvance(text) + 12) {
            return; // it would not stand along the line
        }
        painter.save();
        painter.translate(from + way * 0.5);
        painter.rotate(std::atan2(way.y(), way.x()) * 180 / M_PI);
        painter.drawText(QPointF(-metrics.horizontalAdvance(text) / 2, -6), text);
        painter.restore();
    }

    QChart& m_chart;
    QLineSeries& m_roof;
    values::Ceilings m_ceilings;
    Decades m_x, m_y;
    Theme m_theme;
};

QLogValueAxis* addAxis(QChart& chart, Qt::Alignment side, const Decades& range, const QString& title,
                       const Theme& theme) {
    auto* axis = new QLogValueAxis;
    axis->setBase(10);
    axis->setRange(range.from, range.to);
    axis->setLabelFormat(QStringLiteral("%g"));
    axis->setTitleText(title);
    styleAxis(*axis, theme);
    chart.addAxis(axis, side);
    return axis;
}

} // namespace

std::optional<QPointF> rooflineDot(const values::ProfilePart& part, const values::Ceilings& ceilings) {
    const analysis::RooflinePoint point = analysis::rooflineOf(part, ceilings);
    return point.intensity > 0 && point.gflops > 0 ? std::optional(QPointF(point.intensity, point.gflops))
                                                   : std::nullopt;
}

QScatterSeries* drawRoofline(QChart& chart, const values::StepProfile& profile, const Theme& theme) {
    const values::Ceilings& ceilings = profile.ceilings;
    const double ridge = analysis::ridgeOf(ceilings);
    double left = ridge, right = ridge, low = ceilings.gflops, high = ceilings.gflops, largest = 0;
    std::vector<std::pair<const values::ProfilePart*, QPointF>> dots;
    for (const values::ProfilePart& part : profile.parts) {
        if (const auto dot = rooflineDot(part, ceilings)) {
            dots.emplace_back(&part, *dot);
            left = std::min(left, dot->x());
            right = std::max(right, dot->x());
            low = std::min(low, dot->y());
            high = std::max(high, dot->y());
            largest = std::max(largest, part.share);
        }
    }
    const Decades x = decadesAround(left * 0.9, right * 1.5), y = decadesAround(low * 0.9, high * 1.3);
    QLogValueAxis* xAxis = addAxis(chart, Qt::AlignBottom, x, say("operations a byte, FLOP/byte"), theme);
    QLogValueAxis* yAxis = addAxis(chart, Qt::AlignLeft, y, say("speed, GFLOP/s"), theme);
    const auto attach = [&](QAbstractSeries* series) {
        chart.addSeries(series);
        series->attachAxis(xAxis);
        series->attachAxis(yAxis);
    };
    const auto hideFromLegend = [&](QAbstractSeries* series) {
        for (QLegendMarker* marker : chart.legend()->markers(series)) {
            marker->setVisible(false);
        }
    };

    auto* roof = new QLineSeries;
    const double foot = std::max(x.from, y.from / std::max(ceilings.memoryGbps(), 1e-9));
    *roof << QPointF(foot, analysis::roofAt(foot, ceilings)) << QPointF(ridge, ceilings.gflops)
          << QPointF(x.to, ceilings.gflops);
    attach(roof);
    roof->setPen(QPen(theme.text, 2));
    hideFromLegend(roof);

    std::ranges::stable_sort(dots, std::ranges::greater{}, [](const auto& dot) { return dot.first->share; });
    std::set<values::PartKind> named;
    for (const auto& [part, dot] : dots) { // the large ones first, so that no small one is hidden
        auto* series = new QScatterSeries;
        *series << dot;
        series->setName(partKindText(part->kind));
        attach(series);
        const double size = std::sqrt(part->share / std::max(largest, 1e-9)); // by area
        series->setMarkerSize(kSmallestDot + (kLargestDot - kSmallestDot) * size);
        QColor colour = colourOf(part->kind);
        series->setBorderColor(theme.card);
        colour.setAlphaF(0.85F);
        series->setColor(colour);
        if (!named.insert(part->kind).second) {
            hideFromLegend(series);
        }
    }
    auto* ring = new QScatterSeries;
    attach(ring);
    ring->setMarkerSize(kLargestDot + kRing);
    ring->setColor(Qt::transparent);
    ring->setBorderColor(theme.text);
    hideFromLegend(ring);
    new RoofNames(chart, *roof, ceilings, x, y, theme); // the chart owns it
    return ring;
}

} // namespace halfstep::ui
