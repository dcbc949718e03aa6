#pragma once
#include "engine/values/profile.h"
#include "ui/charts/chart_panel.h"
#include <optional>
#include <vector>

namespace halfstep::ui {

class StepBars;

/// One step of each profile as a bar from the first operation to the last, in milliseconds, an operation a segment; a
/// wide one bears its name. Profiles of several policies stand below each other on one axis.
/// CSV columns: policy, layer, operation, kind, median_ms, q25_ms, q75_ms, share.
class StepBarChart : public ChartPanel {
    Q_OBJECT

public:
    StepBarChart(const QString& title, QSettings* settings, QWidget* parent = nullptr);
    ~StepBarChart() override;

    void setProfiles(std::vector<values::StepProfile> profiles);
    /// Marks a part of the first profile, by its index there.
    void readPart(std::optional<std::size_t> part);

    bool isEmpty() const override { return m_profiles.empty(); }
    std::unique_ptr<QChart> drawing(const Theme& theme) const override;
    QString csv() const override;

signals:
    /// The segment of the first profile under the mouse, or of the arrow keys.
    void partRead(std::optional<std::size_t> part);

public slots:
    void resetZoom() override {}

protected:
    void themeChanged() override;
    void fillMenu(QMenu&) override {}

private:
    void readAt(const QPointF& at);
    void readNext(int direction);
    void show(std::size_t profile, std::optional<std::size_t> part);

    std::vector<values::StepProfile> m_profiles;
    std::size_t m_profile = 0;            ///< whose part is read
    std::optional<std::size_t> m_reading; ///< index of a part
    StepBars* m_bars = nullptr;           ///< the chart's own
};

} // namespace halfstep::ui
