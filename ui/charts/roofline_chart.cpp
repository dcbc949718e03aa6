#include "ui/charts/roofline_chart.h"
#include "engine/analysis/roofline.h"
#include "engine/values/number_text.h"
#include "ui/charts/chart_style.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/csv_text.h"
#include "ui/charts/part_look.h"
#include "ui/charts/roofline_drawing.h"
#include "ui/format/format.h"
#include <QChart>
#include <QLegend>
#include <QLineF>
#include <algorithm>

namespace halfstep::ui {

namespace {
constexpr double kReach = 24; ///< pixels from the mouse to a dot that is still meant
} // namespace

RooflineChart::RooflineChart(const QString& title, QSettings* settings, QWidget* parent)
    : ChartPanel(title, settings, parent) {
    connect(view(), &ChartView::hovered, this, &RooflineChart::readAt);
    connect(view(), &ChartView::stepRequested, this, &RooflineChart::readNext);
    setExportName(QStringLiteral("roofline"));
    themeChanged();
}

RooflineChart::~RooflineChart() = default;

void RooflineChart::setProfile(std::optional<values::StepProfile> profile) {
    m_profile = std::move(profile);
    m_reading.reset();
    themeChanged();
}

std::unique_ptr<QChart> RooflineChart::drawing(const Theme& theme) const {
    auto chart = std::make_unique<QChart>();
    styleChart(*chart, theme, title());
    if (m_profile) {
        const RooflineDrawing drawn(*chart, *m_profile, theme);
    }
    return chart;
}

QString RooflineChart::csv() const {
    const auto text = [](double value) { return QString::fromStdString(values::numberText(value)); };
    const auto name = [](const std::string& value) { return csvField(QString::fromStdString(value)); };
    QString csv = QStringLiteral("layer,operation,flop_per_byte,gflops,roof_gflops,median_ms,bound\n");
    for (const std::size_t dot : dots()) {
        const values::ProfilePart& part = m_profile->parts[dot];
        const analysis::RooflinePoint point = analysis::rooflineOf(part, m_profile->ceilings);
        csv += QStringList{name(part.layer),
                           name(part.operation),
                           text(point.intensity),
                           text(point.gflops),
                           text(analysis::roofAt(point.intensity, m_profile->ceilings)),
                           text(part.milliseconds.median),
                           name(std::string(analysis::nameOf(point.bound)))}
                   .join(QLatin1Char(',')) +
               QLatin1Char('\n');
    }
    return csv;
}

void RooflineChart::themeChanged() {
    // A fresh chart, as BarChart has it: two dozen dots, seldom changed.
    auto chart = std::make_unique<QChart>();
    styleChart(*chart, theme(), {});
    m_drawing = m_profile ? std::make_unique<RooflineDrawing>(*chart, *m_profile, theme()) : nullptr;
    chart->legend()->hide(); // narrow, and the bar of the step has the same colours
    const std::unique_ptr<QChart> before(view()->chart());
    view()->setChart(chart.release());
    showEmptyText(!m_profile);
    show(m_reading);
}

std::vector<std::size_t> RooflineChart::dots() const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; m_profile && i < m_profile->parts.size(); ++i) {
        if (rooflineDot(m_profile->parts[i], m_profile->ceilings)) {
            indices.push_back(i);
        }
    }
    return indices;
}

void RooflineChart::readAt(const QPointF& at) {
    std::optional<std::size_t> nearest;
    double distance = kReach;
    for (const std::size_t dot : dots()) {
        const QPointF value = *rooflineDot(m_profile->parts[dot], m_profile->ceilings);
        const double away = QLineF(m_drawing->positionOf(value), at).length();
        if (away < distance) {
            nearest = dot;
            distance = away;
        }
    }
    if (nearest && nearest != m_reading) {
        show(nearest);
        emit partRead(nearest);
    }
}

void RooflineChart::readNext(int direction) {
    const std::vector<std::size_t> all = dots();
    if (all.empty()) {
        return;
    }
    const auto current = std::ranges::find(all, m_reading.value_or(all.front()));
    const auto place = current == all.end() ? 0 : current - all.begin();
    const auto next = m_reading ? std::clamp<std::ptrdiff_t>(place + direction, 0, std::ssize(all) - 1) : 0;
    show(all[static_cast<std::size_t>(next)]);
    emit partRead(m_reading);
}

void RooflineChart::readPart(std::optional<std::size_t> part) {
    show(part);
}

void RooflineChart::show(std::optional<std::size_t> part) {
    m_reading = m_profile && part && *part < m_profile->parts.size() ? part : std::nullopt;
    if (m_drawing) {
        const values::ProfilePart* read = m_reading ? &m_profile->parts[*m_reading] : nullptr;
        m_drawing->read(read != nullptr ? rooflineDot(*read, m_profile->ceilings) : std::nullopt,
                        read != nullptr ? readingOf(*read) : QStringList());
    }
}

QStringList RooflineChart::readingOf(const values::ProfilePart& part) const {
    const analysis::RooflinePoint point = analysis::rooflineOf(part, m_profile->ceilings);
    QStringList lines{QString::fromStdString(part.layer), partName(part).section(QStringLiteral(", "), 1),
                      milliseconds(part.milliseconds.median)};
    if (point.gflops > 0) {
        lines << tr("%1 GFLOP/s").arg(significant(point.gflops));
    }
    if (point.shareOfRoof > 0) {
        lines << tr("%1 of the roof").arg(percent(point.shareOfRoof, 0));
    }
    return lines;
}

} // namespace halfstep::ui
