#pragma once
#include "ui/models/sweep_grid_model.h"
#include "ui/widgets/theme.h"
#include <QPersistentModelIndex>
#include <QPoint>
#include <QTableView>
#include <vector>

namespace halfstep::ui {

class SweepCellDelegate;

/// The grid of a sweep. A click on a cell that ran, or Enter, asks why it takes so long; a drag, Ctrl and Shift
/// select blocks, Ctrl+C copies them; a click on a header sorts, its menu hides columns, a drag moves them.
class SweepGrid : public QTableView {
    Q_OBJECT

public:
    explicit SweepGrid(QWidget* parent = nullptr);

    void setSweep(const MeasuredSweepPtr& sweep);
    void setStep(const std::optional<values::SweepStep>& step) { m_model.setStep(step); }
    /// The machine outlives the grid; null: none.
    void setArticle(const analysis::ArticleMachine* machine);
    void setTheme(const Theme& theme);
    SweepGridModel& cells() { return m_model; }

signals:
    /// The cell was clicked, or Enter pressed on it.
    void cellChosen(std::size_t cell);
    void remeasureWanted(const std::vector<std::size_t>& cells);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void choose(const QModelIndex& index);
    void remeasureSelected();
    void layOutColumns();
    void askColumns(const QPoint& at);

    SweepGridModel m_model;
    SweepSortModel m_sorted;
    SweepCellDelegate* m_delegate;
    QPersistentModelIndex m_pressed; ///< by a plain click that has not become a drag
    QPoint m_pressedAt;
};

} // namespace halfstep::ui
