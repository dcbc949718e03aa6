#pragma once
#include "ui/report/sweep_charts.h"
#include "ui/widgets/theme.h"
#include <QStackedWidget>

class QLabel;
class QSettings;

namespace halfstep::ui {

class BarChart;
class EmptyState;
class SweepGrid;
class SweepScaling;

/// The cells of a sweep as a grid, beside which the article's tables can stand, as bars, or over the batch size; an
/// empty state where there is no sweep.
class SweepViews : public QStackedWidget {
    Q_OBJECT

public:
    enum View { Grid, Bars, Scaling };

    explicit SweepViews(QSettings* settings, QWidget* parent = nullptr);

    /// Null: no sweep.
    void setSweep(const MeasuredSweepPtr& sweep);
    void showView(View view);
    View view() const { return m_view; }
    /// A machine of the article's, by its number in analysis::articleMachines(); below 0: none.
    void showArticle(int machine);
    void setTheme(const Theme& theme);

    EmptyState* empty() const { return m_empty; }
    SweepGrid* grid() const { return m_grid; }
    BarChart* bars() const { return m_bars; }
    SweepScaling* scaling() const { return m_scaling; }

private:
    void draw();

    View m_view = Grid;
    MeasuredSweepPtr m_sweep;
    EmptyState* m_empty;
    SweepGrid* m_grid;
    QWidget* m_gridPage;
    QLabel* m_doubts;
    BarChart* m_bars;
    SweepScaling* m_scaling;
};

} // namespace halfstep::ui
