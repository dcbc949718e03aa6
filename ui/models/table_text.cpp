#include "ui/models/table_text.h"
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QStringList>
#include <QTableView>
#include <algorithm>
#include <numeric>

namespace halfstep::ui {
namespace {

QString cell(QString text) {
    for (QChar& c : text) {
        if (c == QLatin1Char('\t') || c == QLatin1Char('\n') || c == QLatin1Char('\r')) {
            c = QLatin1Char(' ');
        }
    }
    return text;
}

} // namespace

QString tableText(const QAbstractItemModel& model, const QList<int>& rows, const QList<int>& columns) {
    QString text;
    QStringList cells;
    for (const int column : columns) {
        const QVariant full = model.headerData(column, Qt::Horizontal, kCopyRole);
        cells << cell((full.isValid() ? full : model.headerData(column, Qt::Horizontal)).toString());
    }
    text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const int row : rows) {
        cells.clear();
        for (const int column : columns) {
            const QModelIndex index = model.index(row, column);
            const QVariant full = index.data(kCopyRole);
            cells << cell((full.isValid() ? full : index.data()).toString());
        }
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

QString wholeTableText(const QAbstractItemModel& model) {
    QList<int> rows(model.rowCount());
    QList<int> columns(model.columnCount());
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(columns.begin(), columns.end(), 0);
    return tableText(model, rows, columns);
}

QString shownTableText(const QTableView& table) {
    QList<int> rows;
    for (const QModelIndex& index : table.selectionModel()->selectedRows()) {
        rows << index.row();
    }
    std::sort(rows.begin(), rows.end());
    if (rows.isEmpty()) {
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            rows << row;
        }
    }
    QList<int> columns;
    const QHeaderView& header = *table.horizontalHeader();
    for (int place = 0; place < header.count(); ++place) {
        const int column = header.logicalIndex(place);
        if (!table.isColumnHidden(column)) {
            columns << column;
        }
    }
    return tableText(*table.model(), rows, columns);
}

void installTableCopy(QTableView* view) {
    auto* copy = new QAction(QStringLiteral("Copy"), view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(copy, &QAction::triggered, view,
                     [view] { QGuiApplication::clipboard()->setText(shownTableText(*view)); });
    view->addAction(copy);
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
}

} // namespace halfstep::ui
