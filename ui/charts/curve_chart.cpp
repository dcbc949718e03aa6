#include "ui/charts/curve_chart.h"
#include "engine/values/number_text.h"
#include "ui/charts/chart_style.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/csv_text.h"
#include "ui/format/format.h"
#include <QAbstractSeries>
#include <QAction>
#include <QChart>
#include <QLegend>
#include <QLegendMarker>
#include <QMenu>
#include <QSettings>
#include <algorithm>
#include <cmath>
#include <map>

namespace halfstep::ui {

using analysis::Point;

namespace {

constexpr double kReach = 24;        ///< pixels between the mouse and the point that is read
constexpr double kLargestZoom = 500; ///< times

bool isFinite(const Point& point) {
    return std::isfinite(point.x) && std::isfinite(point.y);
}

QString wholeOrSignificant(double value) {
    return value == std::floor(value) && std::abs(value) < 1e9 ? fixed(value, 0) : significant(value);
}

std::pair<std::size_t, std::size_t> indicesBetween(const std::vector<Point>& points, double from, double to) {
    const auto below = [](const Point& point, double x) { return point.x < x; };
    const auto begin = std::lower_bound(points.begin(), points.end(), from, below);
    const auto end = std::lower_bound(begin, points.end(), to, below);
    return {static_cast<std::size_t>(begin - points.begin()), static_cast<std::size_t>(end - points.begin())};
}

} // namespace

CurveChart::CurveChart(const QString& title, AxisLook x, AxisLook y, QSettings* settings, QWidget* parent)
    : ChartPanel(title, settings, parent),
      m_x(std::move(x)),
      m_y(std::move(y)) {
    connect(view(), &ChartView::zoomRequested, this, &CurveChart::zoom);
    connect(view(), &ChartView::resetRequested, this, &CurveChart::resetZoom);
    connect(view(), &ChartView::hovered, this, &CurveChart::readAt);
    connect(view(), &ChartView::hoverLeft, this, [this] { showReading(std::nullopt); });
    connect(view(), &ChartView::stepRequested, this, &CurveChart::readNext);
    setCurves({});
}

CurveChart::~CurveChart() = default;

void CurveChart::setAxes(AxisLook x, AxisLook y) {
    const bool logarithmic = m_y.logarithmic;
    m_x = std::move(x);
    m_y = std::move(y);
    m_y.logarithmic = logarithmic;
    m_zoom.reset();
    m_reading.reset();
    themeChanged();
}

void CurveChart::setCurves(const std::vector<CurveLook>& looks) {
    m_curves.clear();
    for (const CurveLook& look : looks) {
        m_curves.push_back({.look = look, .points = {}, .visible = true});
    }
    m_shade = {};
    m_zoom.reset();
    m_reading.reset();
    themeChanged();
}

void CurveChart::setPoints(std::size_t curve, const std::vector<QPointF>& points) {
    std::vector<Point>& kept = m_curves.at(curve).points;
    kept.clear();
    kept.reserve(points.size());
    for (const QPointF& point : points) {
        kept.push_back({point.x(), point.y()});
    }
    if (m_reading && m_reading->curve == curve && m_reading->point >= kept.size()) {
        m_reading.reset();
    }
    m_dirty = true;
}

void CurveChart::addPoint(std::size_t curve, QPointF point) {
    m_curves.at(curve).points.push_back({point.x(), point.y()});
    m_dirty = true;
}

std::vector<QPointF> CurveChart::points(std::size_t curve) const {
    std::vector<QPointF> result;
    for (const Point& point : m_curves.at(curve).points) {
        result.emplace_back(point.x, point.y);
    }
    return result;
}

void CurveChart::setShadedUntil(double x, const QString& name) {
    const bool another = name != m_shade.name;
    m_shade = {x, name};
    m_dirty = true;
    if (another) {
        themeChanged(); // the legend makes room for a name only when it is new
    }
}

void CurveChart::refresh() {
    if (m_dirty) {
        draw();
    }
}

void CurveChart::draw() {
    m_dirty = false;
    showEmptyText(isEmpty());
    m_drawing->update(m_curves, m_shade, m_zoom);
    showReading(m_reading);
}

void CurveChart::setCurveVisible(std::size_t curve, bool visible) {
    m_curves.at(curve).visible = visible;
    for (CurveData& other : m_curves) {
        other.visible = other.look.follows == curve ? visible : other.visible;
    }
    if (m_reading && !m_curves[m_reading->curve].visible) {
        m_reading.reset();
    }
    draw();
}

bool CurveChart::isCurveVisible(std::size_t curve) const {
    return m_curves.at(curve).visible;
}

std::size_t CurveChart::countOf(bool (*isLeftOut)(const Point&)) const {
    std::size_t count = 0;
    for (const CurveData& curve : m_curves) {
        if (curve.visible && !curve.look.derived) {
            count += static_cast<std::size_t>(std::ranges::count_if(curve.points, isLeftOut));
        }
    }
    return count;
}

std::size_t CurveChart::notDrawn() const {
    return countOf([](const Point& point) { return !isFinite(point); });
}

std::size_t CurveChart::notAboveZero() const {
    return m_y.logarithmic ? countOf([](const Point& point) { return isFinite(point) && point.y <= 0; }) : 0;
}

void CurveChart::offerLogarithm(const QString& key) {
    m_logarithmKey = QStringLiteral("charts/logarithmic_") + key;
    if (settings() != nullptr) {
        setLogarithmic(settings()->value(m_logarithmKey, false).toBool());
    }
}

void CurveChart::setLogarithmic(bool logarithmic) {
    if (logarithmic == m_y.logarithmic) {
        return;
    }
    m_y.logarithmic = logarithmic;
    if (settings() != nullptr && !m_logarithmKey.isEmpty()) {
        settings()->setValue(m_logarithmKey, logarithmic);
    }
    themeChanged(); // another kind of axis
}

bool CurveChart::isEmpty() const {
    return std::ranges::all_of(m_curves, [](const CurveData& curve) { return curve.points.empty(); });
}

std::unique_ptr<QChart> CurveChart::drawing(const Theme& theme) const {
    auto chart = std::make_unique<QChart>();
    styleChart(*chart, theme, title());
    CurveDrawing(*chart, m_x, m_y, m_curves, m_shade, theme).update(m_curves, m_shade, m_zoom);
    return chart;
}

QString CurveChart::csv() const {
    // One row per x that any curve has; a curve without a point there leaves its field empty.
    std::map<double, std::vector<QString>> rows;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        for (const Point& point : m_curves[i].points) {
            auto& row = rows.try_emplace(point.x, m_curves.size()).first->second;
            row[i] = QString::fromStdString(values::numberText(point.y));
        }
    }
    QStringList header{csvField(m_x.column)};
    for (const CurveData& curve : m_curves) {
        header << csvField(curve.look.column);
    }
    QString text = header.join(QLatin1Char(',')) + QLatin1Char('\n');
    for (const auto& [x, fields] : rows) {
        text += QString::fromStdString(values::numberText(x));
        for (const QString& field : fields) {
            text += QLatin1Char(',') + field;
        }
        text += QLatin1Char('\n');
    }
    return text;
}

void CurveChart::resetZoom() {
    m_zoom.reset();
    draw();
}

void CurveChart::zoom(double factor, const QPointF& at) {
    const Range shown = m_drawing->shownX();
    const double middle = std::clamp(view()->chart()->mapToValue(at).x(), shown.from, shown.to);
    m_zoom.reset();
    m_drawing->update(m_curves, m_shade, m_zoom);
    const Range whole = m_drawing->shownX();
    const double width = (shown.to - shown.from) * factor;
    if (width < whole.to - whole.from) {
        const double kept = std::max(width, (whole.to - whole.from) / kLargestZoom);
        const double share = (middle - shown.from) / (shown.to - shown.from);
        const double from = std::clamp(middle - share * kept, whole.from, whole.to - kept);
        m_zoom = Range{from, from + kept};
    }
    draw();
}

void CurveChart::readAt(const QPointF& at) {
    QChart& chart = *view()->chart();
    const double from = chart.mapToValue(at - QPointF(kReach, 0)).x();
    const double to = chart.mapToValue(at + QPointF(kReach, 0)).x();
    std::optional<Reading> nearest;
    double best = kReach * kReach;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        if (!m_curves[i].visible) {
            continue;
        }
        const auto [begin, end] = indicesBetween(m_curves[i].points, from, to);
        for (std::size_t k = begin; k < end; ++k) {
            const Point& point = m_curves[i].points[k];
            const QPointF apart = view()->chart()->mapToPosition(m_drawing->placed(point)) - at;
            const double distance = QPointF::dotProduct(apart, apart);
            if (isFinite(point) && (!m_y.logarithmic || point.y > 0) && distance < best) {
                best = distance;
                nearest = Reading{i, k};
            }
        }
    }
    showReading(nearest);
}

void CurveChart::readNext(int direction) {
    if (!m_reading) {
        const auto first = std::ranges::find_if(
            m_curves, [](const CurveData& curve) { return curve.visible && !curve.points.empty(); });
        if (first != m_curves.end()) {
            showReading(Reading{static_cast<std::size_t>(first - m_curves.begin()), first->points.size() - 1});
        }
        return;
    }
    const auto last = static_cast<std::ptrdiff_t>(m_curves[m_reading->curve].points.size()) - 1;
    const auto next = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(m_reading->point) + direction, 0, last);
    showReading(Reading{m_reading->curve, static_cast<std::size_t>(next)});
}

void CurveChart::showReading(std::optional<Reading> reading) {
    m_reading = reading;
    if (!reading) {
        m_drawing->highlight(std::nullopt, {});
        setReading(leftOut());
        return;
    }
    const CurveData& curve = m_curves[reading->curve];
    const Point& point = curve.points[reading->point];
    const bool drawn = isFinite(point) && (!m_y.logarithmic || point.y > 0);
    m_drawing->highlight(drawn ? std::optional(point) : std::nullopt, curve.look.colour);
    setReading(QStringLiteral("%1 %2 · %3 %4")
                   .arg(m_x.title, wholeOrSignificant(point.x), curve.look.name, significant(point.y)));
}

/// How many points are not drawn, and why; empty if all are.
QString CurveChart::leftOut() const {
    const std::size_t missing = notDrawn(), low = notAboveZero();
    QStringList sentences;
    if (missing > 0) {
        sentences << (missing == 1 ? tr("1 point is not finite and not drawn")
                                   : tr("%1 points are not finite and not drawn").arg(missing));
    }
    if (low > 0) {
        sentences << (low == 1 ? tr("1 point is not above 0, so not on this axis")
                               : tr("%1 points are not above 0, so not on this axis").arg(low));
    }
    return sentences.join(QStringLiteral("; "));
}

void CurveChart::themeChanged() {
    // A fresh chart: Qt leaves the pictures of removed axes behind.
    auto chart = std::make_unique<QChart>();
    styleChart(*chart, theme(), {});
    m_drawing = std::make_unique<CurveDrawing>(*chart, m_x, m_y, m_curves, m_shade, theme());
    const std::unique_ptr<QChart> before(view()->chart());
    view()->setChart(chart.release());
    connectLegend();
    draw();
}

void CurveChart::connectLegend() {
    for (QLegendMarker* marker : view()->chart()->legend()->markers()) {
        if (const auto curve = m_drawing->curveOf(marker->series())) {
            connect(marker, &QLegendMarker::clicked, this,
                    [this, index = *curve] { setCurveVisible(index, !isCurveVisible(index)); });
        }
    }
}

void CurveChart::fillMenu(QMenu& menu) {
    if (!m_logarithmKey.isEmpty()) {
        QAction* logarithmic = menu.addAction(tr("Logarithmic axis"));
        logarithmic->setCheckable(true);
        logarithmic->setChecked(m_y.logarithmic);
        connect(logarithmic, &QAction::toggled, this, &CurveChart::setLogarithmic);
        menu.addSeparator();
    }
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        if (m_curves[i].look.follows) {
            continue;
        }
        QAction* action = menu.addAction(tr("Show %1").arg(m_curves[i].look.name));
        action->setCheckable(true);
        action->setChecked(m_curves[i].visible);
        connect(action, &QAction::toggled, this, [this, i](bool shown) { setCurveVisible(i, shown); });
    }
}

} // namespace halfstep::ui
