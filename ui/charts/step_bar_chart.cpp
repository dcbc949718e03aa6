#include "ui/charts/step_bar_chart.h"
#include "engine/values/number_text.h"
#include "ui/charts/chart_style.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/csv_text.h"
#include "ui/charts/part_look.h"
#include "ui/charts/step_bars.h"
#include "ui/format/format.h"
#include <QChart>
#include <algorithm>

namespace halfstep::ui {

StepBarChart::StepBarChart(const QString& title, QSettings* settings, QWidget* parent)
    : ChartPanel(title, settings, parent) {
    connect(view(), &ChartView::hovered, this, &StepBarChart::readAt);
    connect(view(), &ChartView::stepRequested, this, &StepBarChart::readNext);
    setExportName(QStringLiteral("step"));
    themeChanged();
}

StepBarChart::~StepBarChart() = default;

void StepBarChart::setProfiles(std::vector<values::StepProfile> profiles) {
    m_profiles = std::move(profiles);
    m_profile = 0;
    m_reading.reset();
    themeChanged();
}

std::unique_ptr<QChart> StepBarChart::drawing(const Theme& theme) const {
    auto chart = std::make_unique<QChart>();
    styleChart(*chart, theme, title());
    if (!m_profiles.empty()) {
        StepBars::addTo(*chart, m_profiles, theme);
    }
    return chart;
}

QString StepBarChart::csv() const {
    const auto text = [](double value) { return QString::fromStdString(values::numberText(value)); };
    const auto name = [](std::string_view value) {
        return csvField(QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size())));
    };
    QString csv = QStringLiteral("policy,layer,operation,kind,median_ms,q25_ms,q75_ms,share\n");
    for (const values::StepProfile& profile : m_profiles) {
        for (const values::ProfilePart& part : profile.parts) {
            csv += QStringList{csvField(policyName(profile.config.policy)),
                               name(part.layer),
                               name(part.operation),
                               name(values::nameOf(part.kind)),
                               text(part.milliseconds.median),
                               text(part.milliseconds.q25),
                               text(part.milliseconds.q75),
                               text(part.share)}
                       .join(QLatin1Char(',')) +
                   QLatin1Char('\n');
        }
    }
    return csv;
}

void StepBarChart::themeChanged() {
    // A fresh chart, as BarChart has it: seldom changed.
    auto chart = std::make_unique<QChart>();
    styleChart(*chart, theme(), {});
    m_bars = m_profiles.empty() ? nullptr : StepBars::addTo(*chart, m_profiles, theme());
    const std::unique_ptr<QChart> before(view()->chart());
    view()->setChart(chart.release());
    showEmptyText(m_profiles.empty());
    show(m_profile, m_reading);
}

void StepBarChart::readAt(const QPointF& at) {
    const auto found = m_bars != nullptr ? m_bars->at(at) : std::nullopt;
    if (!found || (found->first == m_profile && found->second == m_reading)) {
        return;
    }
    show(found->first, found->second);
    if (found->first == 0) {
        emit partRead(found->second);
    }
}

void StepBarChart::readNext(int direction) {
    if (m_profiles.empty()) {
        return;
    }
    const auto last = std::ssize(m_profiles[m_profile].parts) - 1;
    const auto now = static_cast<std::ptrdiff_t>(m_reading.value_or(0));
    const auto next = m_reading ? std::clamp<std::ptrdiff_t>(now + direction, 0, last) : 0;
    show(m_profile, static_cast<std::size_t>(next));
    if (m_profile == 0) {
        emit partRead(m_reading);
    }
}

void StepBarChart::readPart(std::optional<std::size_t> part) {
    show(0, part);
}

void StepBarChart::show(std::size_t profile, std::optional<std::size_t> part) {
    m_profile = profile;
    const bool known = profile < m_profiles.size() && part && *part < m_profiles[profile].parts.size();
    m_reading = known ? part : std::nullopt;
    if (m_bars != nullptr) {
        m_bars->highlight(m_profile, m_reading);
    }
    if (!known) {
        setReading({});
        return;
    }
    const values::ProfilePart& shown = m_profiles[profile].parts[*part];
    setReading(tr("%1: %2 (%3 to %4), %5")
                   .arg(partName(shown), milliseconds(shown.milliseconds.median), significant(shown.milliseconds.q25),
                        significant(shown.milliseconds.q75), percent(shown.share)));
}

} // namespace halfstep::ui
