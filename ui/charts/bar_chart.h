#pragma once
#include "ui/charts/chart_panel.h"
#include <QColor>
#include <QStringList>
#include <optional>
#include <vector>

namespace halfstep::ui {

struct Bar {
    QString group;  ///< on the x axis: "batch 32"
    QString series; ///< in the legend: "mixed_float16"
    QColor colour;  ///< one per series
    double value = 0;
    std::optional<double> low{}, high{}; ///< interval drawn as a whisker, in the unit of value
    QString note{};                      ///< stands in the place of a bar without a finite value: "OOM"
};

/// Grouped bars with their values above and, where known, an interval. Groups and series stand in the order in which
/// they first occur; a missing combination leaves a gap. CSV columns: group, series, value column, low, high.
class BarChart : public ChartPanel {
    Q_OBJECT

public:
    BarChart(const QString& title, const QString& groupTitle, const QString& valueTitle, const QString& valueColumn,
             QSettings* settings, QWidget* parent = nullptr);
    ~BarChart() override;

    /// Series named in `seriesOrder` stand in that order, before the others.
    void setBars(std::vector<Bar> bars, QStringList seriesOrder = {});
    const std::vector<Bar>& bars() const { return m_bars; }

    bool isEmpty() const override { return m_bars.empty(); }
    std::unique_ptr<QChart> drawing(const Theme& theme) const override;
    QString csv() const override;

public slots:
    void resetZoom() override;

protected:
    void themeChanged() override;
    void fillMenu(QMenu& menu) override;

private:
    QString m_groupTitle, m_valueTitle, m_valueColumn;
    std::vector<Bar> m_bars;
    QStringList m_seriesOrder;
};

} // namespace halfstep::ui
