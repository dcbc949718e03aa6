#include "ui/charts/bar_chart.h"
#include "engine/values/number_text.h"
#include "ui/charts/axis_ticks.h"
#include "ui/charts/bar_labels.h"
#include "ui/charts/chart_style.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/csv_text.h"
#include "ui/format/format.h"
#include <QBarCategoryAxis>
#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QLegend>
#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <limits>

namespace halfstep::ui {

namespace {

constexpr double kBarWidth = 0.7;     ///< of a group's share of the axis
constexpr qsizetype kRoomyLegend = 4; ///< names that fit in a line at the usual size
constexpr int kSmallFont = 10;

/// Names in the order in which they first occur.
QStringList namesOf(const std::vector<Bar>& bars, QString Bar::*name) {
    QStringList names;
    for (const Bar& bar : bars) {
        if (!names.contains(bar.*name)) {
            names << bar.*name;
        }
    }
    return names;
}

void drawBars(QChart& chart, const std::vector<Bar>& bars, const QString& groupTitle, const QString& valueTitle,
              const QStringList& seriesOrder, const Theme& theme) {
    const QStringList groups = namesOf(bars, &Bar::group);
    QStringList names = namesOf(bars, &Bar::series);
    const auto rank = [&seriesOrder](const QString& name) { // unnamed ones last
        return static_cast<std::size_t>(seriesOrder.indexOf(name));
    };
    std::ranges::stable_sort(names, {}, rank);
    auto* series = new QBarSeries;
    series->setBarWidth(kBarWidth);
    for (const QString& name : names) {
        auto* set = new QBarSet(name);
        for (qsizetype group = 0; group < groups.size(); ++group) {
            set->append(0);
        }
        series->append(set);
    }
    chart.addSeries(series);
    chart.legend()->setMarkerShape(QLegend::MarkerShapeRectangle); // "from series" draws bars as hollow squares

    if (names.size() > kRoomyLegend) {
        QFont font = chart.legend()->font();
        font.setPixelSize(kSmallFont);
        chart.legend()->setFont(font);
    }

    std::vector<BarLabel> labels;
    double highest = 0;
    const double slot = kBarWidth / static_cast<double>(std::max<qsizetype>(names.size(), 1));
    for (const Bar& bar : bars) {
        const auto group = groups.indexOf(bar.group);
        const auto place = names.indexOf(bar.series);
        QBarSet* set = series->barSets().at(place);
        set->setColor(bar.colour);
        set->setBorderColor(bar.colour);
        const double x = static_cast<double>(group) - kBarWidth / 2 + slot * (static_cast<double>(place) + 0.5);
        if (!std::isfinite(bar.value)) {
            if (!bar.note.isEmpty()) {
                labels.push_back({.x = x, .text = bar.note});
            }
            continue;
        }
        set->replace(static_cast<int>(group), bar.value);
        labels.push_back({x, bar.value, bar.low, bar.high, significant(bar.value)});
        highest = std::max({highest, bar.value, bar.high.value_or(0)});
    }

    auto* groupAxis = new QBarCategoryAxis;
    groupAxis->append(groups);
    groupAxis->setTitleText(groupTitle);
    styleAxis(*groupAxis, theme);
    groupAxis->setGridLineVisible(false);
    auto* valueAxis = new QValueAxis;
    valueAxis->setTickType(QValueAxis::TicksDynamic);
    valueAxis->setTitleText(valueTitle);
    styleAxis(*valueAxis, theme);
    chart.addAxis(groupAxis, Qt::AlignBottom);
    chart.addAxis(valueAxis, Qt::AlignLeft);
    series->attachAxis(groupAxis);
    series->attachAxis(valueAxis);
    applyTicks(*valueAxis, niceTicks(0, highest * 1.12, 5)); // room for the labels
    new BarLabels(chart, *series, theme, std::move(labels)); // the chart owns it
}

} // namespace

BarChart::BarChart(const QString& title, const QString& groupTitle, const QString& valueTitle,
                   const QString& valueColumn, QSettings* settings, QWidget* parent)
    : ChartPanel(title, settings, parent),
      m_groupTitle(groupTitle),
      m_valueTitle(valueTitle),
      m_valueColumn(valueColumn) {
    showEmptyText(true);
}

BarChart::~BarChart() = default;

void BarChart::setBars(std::vector<Bar> bars, QStringList seriesOrder) {
    m_bars = std::move(bars);
    m_seriesOrder = std::move(seriesOrder);
    themeChanged();
}

std::unique_ptr<QChart> BarChart::drawing(const Theme& theme) const {
    auto chart = std::make_unique<QChart>();
    styleChart(*chart, theme, title());
    drawBars(*chart, m_bars, m_groupTitle, m_valueTitle, m_seriesOrder, theme);
    return chart;
}

QString BarChart::csv() const {
    const auto text = [](double value) { return QString::fromStdString(values::numberText(value)); };
    const auto textOrNothing = [&](const std::optional<double>& value) { return value ? text(*value) : QString(); };
    QString csv = QStringLiteral("group,series,%1,low,high\n").arg(csvField(m_valueColumn));
    for (const Bar& bar : m_bars) {
        const QString value = bar.note.isEmpty() || std::isfinite(bar.value) ? text(bar.value) : QString();
        csv += QStringList{csvField(bar.group), csvField(bar.series), value, textOrNothing(bar.low),
                           textOrNothing(bar.high)}
                   .join(QLatin1Char(',')) +
               QLatin1Char('\n');
    }
    return csv;
}

void BarChart::resetZoom() {}

void BarChart::themeChanged() {
    // Few bars, seldom changed: a fresh chart is simpler than keeping one up to date.
    auto chart = std::make_unique<QChart>();
    styleChart(*chart, theme(), {});
    drawBars(*chart, m_bars, m_groupTitle, m_valueTitle, m_seriesOrder, theme());
    QChart* before = view()->chart();
    view()->setChart(chart.release());
    delete before;
    showEmptyText(m_bars.empty());
}

void BarChart::fillMenu(QMenu&) {}

} // namespace halfstep::ui
