#pragma once
#include <QHeaderView>
#include <QString>
#include <vector>

class QTableView;

namespace halfstep::ui {

/// A horizontal header for narrow columns that are not sorted: it keeps no room for an arrow, and its titles begin
/// and end where the cells of a table with the property compact=true do. Columns can stand in groups with a title of
/// their own, in a line over the columns' titles.
class CompactHeader : public QHeaderView {
    Q_OBJECT

public:
    struct Group {
        int first = 0; ///< column
        int last = 0;
        QString title;
    };

    explicit CompactHeader(std::vector<Group> groups = {}, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;

private:
    int lineHeight() const;

    std::vector<Group> m_groups;
};

/// Makes `table` one of whole rows in a small font under `header`, which it owns from then on: read-only, without
/// grid or frame, with rows of `rowHeight` pixels. The model comes after it.
void setUpCompactTable(QTableView& table, CompactHeader* header, int rowHeight);

} // namespace halfstep::ui
