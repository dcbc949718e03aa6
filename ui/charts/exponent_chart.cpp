#include "ui/charts/exponent_chart.h"
#include "engine/values/number_text.h"
#include "ui/charts/chart_style.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/csv_text.h"
#include "ui/format/format.h"
#include <QChart>
#include <algorithm>
#include <cmath>

namespace halfstep::ui {

namespace {

constexpr double kNarrowest = 8; ///< exponents that a zoom leaves in sight

QString nameOf(NumberRange range) { // in the CSV
    switch (range) {
    case NumberRange::Zero:
        return QStringLiteral("zero");
    case NumberRange::Subnormal:
        return QStringLiteral("subnormal");
    case NumberRange::Normal:
        return QStringLiteral("normal");
    case NumberRange::Overflow:
        break;
    }
    return QStringLiteral("overflow");
}

QString formatName(const precision::NumberFormat& format) {
    return QString::fromUtf8(format.name.data(), static_cast<qsizetype>(format.name.size()));
}

} // namespace

ExponentChart::ExponentChart(const QString& title, QSettings* settings, QWidget* parent)
    : ChartPanel(title, settings, parent) {
    connect(view(), &ChartView::zoomRequested, this, &ExponentChart::zoom);
    connect(view(), &ChartView::resetRequested, this, &ExponentChart::resetZoom);
    connect(view(), &ChartView::hovered, this, &ExponentChart::readAt);
    connect(view(), &ChartView::hoverLeft, this, [this] { showReading(std::nullopt); });
    connect(view(), &ChartView::stepRequested, this, &ExponentChart::readNext);
    themeChanged();
}

ExponentChart::~ExponentChart() = default;

void ExponentChart::setBars(std::optional<ExponentBars> bars) {
    const bool sameAxis = bars && m_bars && bars->from == m_bars->from && bars->to == m_bars->to;
    m_bars = std::move(bars);
    if (!sameAxis) {
        m_zoom.reset();
    }
    themeChanged();
}

std::unique_ptr<QChart> ExponentChart::drawing(const Theme& theme) const {
    auto chart = std::make_unique<QChart>();
    styleChart(*chart, theme, m_bars && !m_bars->caption.isEmpty() ? m_bars->caption : title());
    if (m_bars) {
        ExponentDrawing(*chart, *m_bars, m_zoom, theme);
    }
    return chart;
}

QString ExponentChart::csv() const {
    if (!m_bars) {
        return {};
    }
    QString text = QStringLiteral("exponent,count,share,%1\n").arg(csvField(formatName(m_bars->format)));
    if (const auto occupied = m_bars->occupied()) {
        for (int exponent = occupied->first; exponent <= occupied->second; ++exponent) {
            text += QStringLiteral("%1,%2,%3,%4\n")
                        .arg(exponent)
                        .arg(m_bars->count(exponent))
                        .arg(QString::fromStdString(values::numberText(m_bars->share(exponent))),
                             nameOf(numberRangeOf(exponent, m_bars->format)));
        }
    }
    return text;
}

void ExponentChart::themeChanged() {
    // A fresh chart, as BarChart has it: at most 300 bars.
    auto chart = std::make_unique<QChart>();
    styleChart(*chart, theme(), {});
    m_drawing = m_bars ? std::make_unique<ExponentDrawing>(*chart, *m_bars, m_zoom, theme()) : nullptr;
    const std::unique_ptr<QChart> before(view()->chart());
    view()->setChart(chart.release());
    showEmptyText(!m_bars);
    showReading(m_reading);
}

void ExponentChart::resetZoom() {
    m_zoom.reset();
    themeChanged();
}

void ExponentChart::zoom(double factor, const QPointF& at) {
    if (!m_bars) {
        return;
    }
    const Range shown = m_drawing->shownX();
    const double middle = std::clamp(view()->chart()->mapToValue(at).x(), shown.from, shown.to);
    const double whole = m_bars->to - m_bars->from;
    const double width = std::max((shown.to - shown.from) * factor, kNarrowest);
    m_zoom.reset();
    if (width < whole) {
        const double share = (middle - shown.from) / (shown.to - shown.from);
        const double from = std::clamp<double>(middle - share * width, m_bars->from, m_bars->to - width);
        m_zoom = Range{from, from + width};
    }
    themeChanged();
}

void ExponentChart::readAt(const QPointF& at) {
    if (!m_bars || !view()->chart()->plotArea().contains(at)) {
        showReading(std::nullopt);
        return;
    }
    showReading(static_cast<int>(std::floor(view()->chart()->mapToValue(at).x())));
}

void ExponentChart::readNext(int direction) {
    const auto occupied = m_bars ? m_bars->occupied() : std::nullopt;
    if (occupied) {
        const int next = m_reading ? *m_reading + direction : occupied->second;
        showReading(std::clamp(next, occupied->first, occupied->second));
    }
}

void ExponentChart::showReading(std::optional<int> exponent) {
    m_reading = m_bars ? exponent : std::nullopt;
    if (m_drawing) {
        m_drawing->highlight(m_reading);
    }
    setReading(m_reading ? tr("%1: %2, %3")
                               .arg(powerOfTwo(*m_reading))
                               .arg(sharePercent(m_bars->share(*m_reading)),
                                    nameOf(numberRangeOf(*m_reading, m_bars->format)))
                         : QString());
}

void ExponentChart::fillMenu(QMenu&) {}

} // namespace halfstep::ui
