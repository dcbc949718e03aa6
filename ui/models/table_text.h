#pragma once
#include <QList>
#include <QString>
#include <functional>

class QAbstractItemModel;
class QTableView;

namespace halfstep::ui {

/// Role under which a model gives a cell's text in full precision, or a column's full name; where it gives none,
/// DisplayRole is copied.
inline constexpr int kCopyRole = 0x0100 + 64; // Qt::UserRole + 64

/// Header line and rows, cells parted by tabs, lines ended by \n, in the order given. A tab or line end within a cell
/// becomes a space, so that the columns stay whole.
QString tableText(const QAbstractItemModel& model, const QList<int>& rows, const QList<int>& columns);

/// The same for any cells, such as a selection made of several blocks: rows and columns that hold none of `cells` are
/// left out, and of the others the cells that are not among them are empty. With or without the header line.
QString blockText(const QAbstractItemModel& model, const QList<int>& rows, const QList<int>& columns,
                  const std::function<bool(int row, int column)>& contains, bool headers);

/// All rows and columns.
QString wholeTableText(const QAbstractItemModel& model);

/// Ctrl+C on `view` copies its selected rows, or all if none is selected, with the columns that show,
/// in the order in which they show.
void installTableCopy(QTableView* view);
/// The same for a table whose cells are selected one by one or in blocks: the selected cells, in the order in which
/// they show. Ctrl+C copies them with their headers, Ctrl+Shift+C without.
void installBlockCopy(QTableView* view);
QString selectedBlockText(const QTableView& view, bool headers);
/// What Ctrl+C would copy now after installTableCopy().
QString shownTableText(const QTableView& view);

} // namespace halfstep::ui
