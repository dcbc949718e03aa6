#pragma once
#include <QList>
#include <QString>

class QAbstractItemModel;
class QTableView;

namespace halfstep::ui {

/// Role under which a model gives a cell's text in full precision, or a column's full name; where it gives none,
/// DisplayRole is copied.
inline constexpr int kCopyRole = 0x0100 + 64; // Qt::UserRole + 64

/// Header line and rows, cells parted by tabs, lines ended by \n, in the order given. A tab or line end within a cell
/// becomes a space, so that the columns stay whole.
QString tableText(const QAbstractItemModel& model, const QList<int>& rows, const QList<int>& columns);

/// All rows and columns.
QString wholeTableText(const QAbstractItemModel& model);

/// Ctrl+C on `view` copies its selected rows, or all if none is selected, with the columns that show,
/// in the order in which they show.
void installTableCopy(QTableView* view);
/// What Ctrl+C there would copy now.
QString shownTableText(const QTableView& view);

} // namespace halfstep::ui
