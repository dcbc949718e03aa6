#pragma once
#include "engine/data/dataset.h"
#include "ui/models/photograph_model.h"
#include "ui/models/skipped_model.h"
#include "ui/widgets/theme.h"
#include <QWidget>
#include <memory>

class QLabel;
class QLineEdit;
class QStackedLayout;
class QTableView;

namespace halfstep::ui {

class DataClassList;
class DataGrid;
class ElidedLabel;
class SegmentedSwitch;

/// A set at a glance: its classes, its splits, a filter, and the photographs as a grid. The third segment lists the
/// files that could not be used.
class DataBrowser : public QWidget {
    Q_OBJECT

public:
    explicit DataBrowser(QWidget* parent = nullptr);

    void setDataset(const std::shared_ptr<const data::Dataset>& dataset);
    void setTheme(const Theme& theme);

    const PhotographModel& photographs() const { return m_photographs; }
    /// Row of the photograph that is chosen in the grid; -1 if none.
    int currentRow() const;
    void setCurrentRow(int row);
    void focusGrid();

signals:
    /// A row of photographs().
    void opened(int row);

protected:
    void showEvent(QShowEvent* event) override;

private:
    enum Segment { Train, Validation, Skipped };

    void applySegment();
    void applyFilter(const QString& text);
    void tellCount();
    int thumbnailSide() const;

    std::shared_ptr<const data::Dataset> m_dataset;
    PhotographModel m_photographs;
    SkippedModel m_skippedFiles;
    int m_side = 0; ///< of the thumbnails as made, in device pixels

    ElidedLabel* m_title;
    QLabel* m_summary;
    QLabel* m_warnings;
    DataClassList* m_classes;
    SegmentedSwitch* m_segments;
    QLineEdit* m_filter;
    QLabel* m_count;
    DataGrid* m_grid;
    QTableView* m_skipped;
    QLabel* m_nothing;
    QStackedLayout* m_stack;
};

} // namespace halfstep::ui
