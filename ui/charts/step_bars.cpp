#include "ui/charts/step_bars.h"
#include "ui/charts/axis_ticks.h"
#include "ui/charts/chart_style.h"
#include "ui/charts/part_look.h"
#include "ui/format/format.h"
#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QPainter>
#include <QValueAxis>
#include <algorithm>
#include <array>

namespace halfstep::ui {

namespace {

constexpr double kThickness = 0.72; ///< of a bar's share of the axis
constexpr std::array kKinds{values::PartKind::Input, values::PartKind::Convolution, values::PartKind::Normalization,
                            values::PartKind::Head,  values::PartKind::Variables,   values::PartKind::Other};

bool hasKind(const std::vector<values::StepProfile>& profiles, values::PartKind kind) {
    return std::ranges::any_of(profiles, [&](const values::StepProfile& profile) {
        return std::ranges::any_of(profile.parts, [&](const values::ProfilePart& part) { return part.kind == kind; });
    });
}

/// As much of "conv2d_1, backward data" as a segment has room for: on one line, on two, or the layer alone.
QString nameInside(const QString& name, const QRectF& place, const QFontMetricsF& metrics) {
    const double room = place.width() - 8;
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= room; };
    if (fits(name)) {
        return name;
    }
    const QString layer = name.section(QStringLiteral(", "), 0, 0), operation = name.section(QStringLiteral(", "), 1);
    if (fits(layer) && fits(operation) && place.height() >= 2 * metrics.lineSpacing()) {
        return layer + QLatin1Char('\n') + operation;
    }
    return metrics.elidedText(layer, Qt::ElideRight, room);
}

} // namespace

StepBars* StepBars::addTo(QChart& chart, const std::vector<values::StepProfile>& profiles, const Theme& theme) {
    QStringList rows;
    double longest = 0;
    for (auto profile = profiles.rbegin(); profile != profiles.rend(); ++profile) { // the axis counts upwards
        rows << policyName(profile->config.policy);
        longest = std::max(longest, profile->sumOfParts());
    }
    // Sets without values: they make the legend, and the series the scale; the bars are drawn by the item.
    auto* series = new QHorizontalStackedBarSeries;
    for (const values::PartKind kind : kKinds) {
        if (hasKind(profiles, kind)) {
            auto* set = new QBarSet(partKindText(kind));
            for (qsizetype row = 0; row < rows.size(); ++row) {
                set->append(0);
            }
            set->setColor(colourOf(kind));
            set->setBorderColor(colourOf(kind));
            series->append(set);
        }
    }
    chart.addSeries(series);
    chart.legend()->setMarkerShape(QLegend::MarkerShapeRectangle);
    auto* y = new QBarCategoryAxis;
    y->append(rows);
    styleAxis(*y, theme);
    y->setGridLineVisible(false);
    auto* x = new QValueAxis;
    x->setTickType(QValueAxis::TicksDynamic);
    styleAxis(*x, theme);
    chart.addAxis(y, Qt::AlignLeft);
    chart.addAxis(x, Qt::AlignBottom);
    series->attachAxis(x);
    series->attachAxis(y);
    applyTicks(*x, ticksInside(0, longest > 0 ? longest : 1, 8));
    return new StepBars(chart, *series, profiles, theme);
}

StepBars::StepBars(QChart& chart, QAbstractSeries& series, const std::vector<values::StepProfile>& profiles,
                   const Theme& theme)
    : QGraphicsItem(&chart),
      m_chart(chart),
      m_series(series),
      m_theme(theme) {
    setZValue(100);
    setAcceptedMouseButtons(Qt::NoButton);
    for (const values::StepProfile& profile : profiles) {
        std::vector<Segment>& bar = m_bars.emplace_back();
        double from = 0;
        for (const values::ProfilePart& part : profile.parts) {
            bar.push_back({from, from + part.milliseconds.median, part.kind, partName(part)});
            from = bar.back().to;
        }
    }
}

QRectF StepBars::boundingRect() const {
    return m_chart.rect();
}

QRectF StepBars::segment(std::size_t profile, std::size_t part) const {
    const Segment& segment = m_bars[profile][part];
    const auto row = static_cast<double>(m_bars.size() - 1 - profile);
    const QPointF left = m_chart.mapToPosition({segment.from, row + kThickness / 2}, &m_series);
    const QPointF right = m_chart.mapToPosition({segment.to, row - kThickness / 2}, &m_series);
    return {left, right};
}

std::optional<std::pair<std::size_t, std::size_t>> StepBars::at(const QPointF& position) const {
    for (std::size_t profile = 0; profile < m_bars.size(); ++profile) {
        for (std::size_t part = 0; part < m_bars[profile].size(); ++part) {
            if (segment(profile, part).contains(position)) {
                return std::pair(profile, part);
            }
        }
    }
    return std::nullopt;
}

void StepBars::highlight(std::size_t profile, std::optional<std::size_t> part) {
    m_profile = profile;
    m_part = part;
    update();
}

void StepBars::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(11);
    painter->setFont(font);
    const QFontMetricsF metrics(font);
    for (std::size_t profile = 0; profile < m_bars.size(); ++profile) {
        for (std::size_t part = 0; part < m_bars[profile].size(); ++part) {
            const Segment& drawn = m_bars[profile][part];
            const QRectF place = segment(profile, part);
            const QColor colour = colourOf(drawn.kind);
            painter->fillRect(place, colour);
            if (place.width() > 3) { // a narrow one is its colour alone
                painter->setPen(QPen(m_theme.card, 1));
                painter->drawRect(place);
            }
            if (place.width() > 48) {
                const bool onWhite = contrast(colour, Qt::white) >= contrast(colour, Qt::black);
                painter->setPen(onWhite ? Qt::white : Qt::black);
                painter->drawText(place, Qt::AlignCenter, nameInside(drawn.name, place, metrics));
            }
        }
    }
    if (m_part && m_profile < m_bars.size() && *m_part < m_bars[m_profile].size()) {
        const QRectF place = segment(m_profile, *m_part);
        painter->setPen(QPen(m_theme.text, 2));
        painter->drawRect(place.adjusted(-1, -2, 1, 2));
    }
}

} // namespace halfstep::ui
