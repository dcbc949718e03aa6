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

QString headerLine(const QAbstractItemModel& model, const QList<int>& columns) {
    QStringList titles;
    for (const int column : columns) {
        const QVariant full = model.headerData(column, Qt::Horizontal, kCopyRole);
        titles << cell((full.isValid() ? full : model.headerData(column, Qt::Horizontal)).toString());
    }
    return titles.join(QLatin1Char('\t')) + QLatin1Char('\n');
}

/// Those that are not hidden, in the order in which they stand.
QList<int> shownSections(const QHeaderView& header) {
    QList<int> sections;
    for (int place = 0; place < header.count(); ++place) {
        const int section = header.logicalIndex(place);
        if (!header.isSectionHidden(section)) {
            sections << section;
        }
    }
    return sections;
}

QAction* addCopy(QTableView* view, const QString& title, const QKeySequence& keys) {
    auto* copy = new QAction(title, view);
    copy->setShortcut(keys);
    copy->setShortcutContext(Qt::WidgetShortcut);
    view->addAction(copy);
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    return copy;
}

} // namespace

QString blockText(const QAbstractItemModel& model, const QList<int>& rows, const QList<int>& columns,
                  const std::function<bool(int, int)>& contains, bool headers) {
    const auto anyInColumn = [&](int column) {
        return std::ranges::any_of(rows, [&](int row) { return contains(row, column); });
    };
    QList<int> kept;
    std::ranges::copy_if(columns, std::back_inserter(kept), anyInColumn);
    QString text = headers ? headerLine(model, kept) : QString();
    for (const int row : rows) {
        if (std::ranges::none_of(kept, [&](int column) { return contains(row, column); })) {
            continue;
        }
        QStringList cells;
        for (const int column : kept) {
            const QModelIndex index = model.index(row, column);
            const QVariant full = index.data(kCopyRole);
            cells << (contains(row, column) ? cell((full.isValid() ? full : index.data()).toString()) : QString());
        }
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

QString tableText(const QAbstractItemModel& model, const QList<int>& rows, const QList<int>& columns) {
    return headerLine(model, columns) + blockText(
                                            model, rows, columns, [](int, int) { return true; }, false);
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
    return tableText(*table.model(), rows, shownSections(*table.horizontalHeader()));
}

QString selectedBlockText(const QTableView& table, bool headers) {
    const QItemSelectionModel& selection = *table.selectionModel();
    const auto contains = [&](int row, int column) {
        return !selection.hasSelection() || selection.isSelected(table.model()->index(row, column));
    };
    return blockText(*table.model(), shownSections(*table.verticalHeader()), shownSections(*table.horizontalHeader()),
                     contains, headers);
}

void installTableCopy(QTableView* view) {
    QObject::connect(addCopy(view, QStringLiteral("Copy"), QKeySequence::Copy), &QAction::triggered, view,
                     [view] { QGuiApplication::clipboard()->setText(shownTableText(*view)); });
}

void installBlockCopy(QTableView* view) {
    const auto copy = [view](bool headers) {
        return [view, headers] { QGuiApplication::clipboard()->setText(selectedBlockText(*view, headers)); };
    };
    QObject::connect(addCopy(view, QStringLiteral("Copy"), QKeySequence::Copy), &QAction::triggered, view,
                     copy(true));
    QObject::connect(
        addCopy(view, QStringLiteral("Copy without headers"), QKeySequence(QStringLiteral("Ctrl+Shift+C"))),
        &QAction::triggered, view, copy(false));
}

} // namespace halfstep::ui
