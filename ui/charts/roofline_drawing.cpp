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
constexpr double kLeast = 1e-9;                      ///< a logarithm needs something above 0

QString say(const char* text) {
    return QCoreApplication::translate("RooflineChart", text);
}

/// Whole decades around some values above 0.
struct Decades {
    double from = 0.1, to = 1000;
};

Decades decadesAround(double least, double most) {
    constexpr double kInside = 1e-6; // the ends themselves get labels
    return {std::pow(10.0, std::floor(std::log10(least)) - kInside),
            std::pow(10.0, std::ceil(std::log10(most)) + kInside)};
}

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

/// The names of the two ceilings, along them, and what is read. A graphics item, so that exports have them too.
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
    void setReading(const QStringList& lines) {
        m_reading = lines;
        update();
    }

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
        const QRectF plot = m_chart.plotArea().adjusted(4, 4, -4, -4);
        painter->drawText(plot, Qt::AlignRight | Qt::AlignBottom, m_reading.join(QLatin1Char('\n')));
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
        painter.translate(from + way * 0.55);
        painter.rotate(std::atan2(way.y(), way.x()) * 180 / M_PI);
        painter.drawText(QPointF(-metrics.horizontalAdvance(text) / 2, -9), text);
        painter.restore();
    }

    QChart& m_chart;
    QLineSeries& m_roof;
    values::Ceilings m_ceilings;
    Decades m_x, m_y;
    Theme m_theme;
    QStringList m_reading;
};

std::optional<QPointF> rooflineDot(const values::ProfilePart& part, const values::Ceilings& ceilings) {
    const analysis::RooflinePoint point = analysis::rooflineOf(part, ceilings);
    return point.intensity > 0 && point.gflops > 0 ? std::optional(QPointF(point.intensity, point.gflops))
                                                   : std::nullopt;
}

RooflineDrawing::RooflineDrawing(QChart& chart, const values::StepProfile& profile, const Theme& theme)
    : m_chart(chart) {
    const values::Ceilings& ceilings = profile.ceilings;
    const double ridge = std::max(analysis::ridgeOf(ceilings), kLeast), peak = std::max(ceilings.gflops, kLeast);
    double left = ridge, right = ridge, low = peak, high = peak;
    for (const values::ProfilePart& part : profile.parts) {
        if (const auto dot = rooflineDot(part, ceilings)) {
            left = std::min(left, dot->x());
            right = std::max(right, dot->x());
            low = std::min(low, dot->y());
            high = std::max(high, dot->y());
        }
    }
    chart.legend()->setMarkerShape(QLegend::MarkerShapeRectangle); // dots differ in size
    const Decades x = decadesAround(left * 0.9, right * 1.5), y = decadesAround(low * 0.9, high * 1.3);
    m_x = addAxis(chart, Qt::AlignBottom, x, say("operations a byte, FLOP/byte"), theme);
    m_y = addAxis(chart, Qt::AlignLeft, y, say("speed, GFLOP/s"), theme);

    auto* roof = new QLineSeries;
    const double foot = std::max(x.from, y.from / std::max(ceilings.memoryGbps(), kLeast));
    *roof << QPointF(foot, std::max(analysis::roofAt(foot, ceilings), y.from)) << QPointF(ridge, peak)
          << QPointF(x.to, peak);
    attach(roof);
    roof->setPen(QPen(theme.text, 2));
    hideFromLegend(roof);
    addDots(profile, theme);
    m_ring = new QScatterSeries;
    attach(m_ring);
    m_ring->setMarkerSize(kLargestDot + kRing);
    m_ring->setColor(Qt::transparent);
    m_ring->setBorderColor(theme.text);
    hideFromLegend(m_ring);
    m_names = new RoofNames(chart, *roof, ceilings, x, y, theme);
}

void RooflineDrawing::addDots(const values::StepProfile& profile, const Theme& theme) {
    std::vector<std::pair<const values::ProfilePart*, QPointF>> dots;
    for (const values::ProfilePart& part : profile.parts) {
        if (const auto dot = rooflineDot(part, profile.ceilings)) {
            dots.emplace_back(&part, *dot);
        }
    }
    std::ranges::stable_sort(dots, std::ranges::greater{}, [](const auto& dot) { return dot.first->share; });
    const double largest = dots.empty() ? 1 : std::max(dots.front().first->share, kLeast);
    std::set<values::PartKind> named;
    for (const auto& [part, dot] : dots) { // the large ones first, so that no small one is hidden
        auto* series = new QScatterSeries;
        *series << dot;
        series->setName(partKindText(part->kind));
        attach(series);
        series->setMarkerSize(kSmallestDot + (kLargestDot - kSmallestDot) * std::sqrt(part->share / largest));
        QColor colour = colourOf(part->kind);
        for (QLegendMarker* marker : m_chart.legend()->markers(series)) {
            marker->setPen(Qt::NoPen);
            marker->setBrush(colour);
        }
        colour.setAlphaF(0.85F);
        series->setBorderColor(theme.card);
        series->setColor(colour);
        if (!named.insert(part->kind).second) {
            hideFromLegend(series);
        }
    }
}

void RooflineDrawing::attach(QAbstractSeries* series) {
    m_chart.addSeries(series);
    series->attachAxis(m_x);
    series->attachAxis(m_y);
}

void RooflineDrawing::hideFromLegend(QAbstractSeries* series) {
    for (QLegendMarker* marker : m_chart.legend()->markers(series)) {
        marker->setVisible(false);
    }
}

void RooflineDrawing::read(const std::optional<QPointF>& dot, const QStringList& lines) {
    m_ring->clear();
    if (dot) {
        *m_ring << *dot;
    }
    m_names->setReading(lines);
}

QPointF RooflineDrawing::positionOf(const QPointF& dot) const {
    return m_chart.mapToPosition(dot, m_ring);
}

} // namespace halfstep::ui
