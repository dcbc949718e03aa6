#pragma once
#include "engine/store/run_store.h"
#include "ui/models/run_columns.h"
#include <QAbstractTableModel>
#include <QIcon>
#include <QSortFilterProxyModel>
#include <QString>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace halfstep::ui {

/// The runs of the history, newest first, each with a check box. A run that is new since the last setRuns(), or has
/// ended since, is checked by itself; of the first runs that come, the newest few are.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int kSortRole = Qt::UserRole;
    static constexpr int kRunRole = Qt::UserRole + 1; ///< qlonglong, id of the row's run
    /// How many of the first runs are checked.
    static constexpr int kFirstChecked = 6;

    explicit RunTableModel(QObject* parent = nullptr);

    /// Newest first, as RunStore::runs() gives them.
    void setRuns(std::vector<store::StoredRun> runs);
    /// Hidden runs are as good as deleted, but can come back.
    void hideRuns(const std::set<std::int64_t>& runs);
    void restoreRuns(const std::set<std::int64_t>& runs);

    const std::vector<store::StoredRun>& runs() const { return m_shown; }
    const store::StoredRun& runAt(int row) const { return m_shown[static_cast<std::size_t>(row)]; }
    /// In the order of the table's rows.
    std::vector<std::int64_t> checkedRuns() const;
    void setChecked(std::int64_t run, bool checked);
    /// These and no others, also of the next list that comes.
    void checkOnly(const std::set<std::int64_t>& runs);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

signals:
    void checkedRunsChanged();

private:
    void showRuns();

    std::array<QIcon, precision::kPolicies.size()> m_policyIcons;
    std::vector<store::StoredRun> m_all;
    std::vector<store::StoredRun> m_shown; ///< m_all without the hidden ones
    std::set<std::int64_t> m_hidden;
    std::set<std::int64_t> m_checked;
    bool m_filled = false;                           ///< runs have come before
    std::optional<std::set<std::int64_t>> m_toCheck; ///< of the next list
};

/// Sorts by value (numbers as numbers, cells without one last) and keeps the rows in which any cell contains the
/// text.
class RunFilterModel : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setFilterText(const QString& text);

    /// Columns in which the rows that show are not all equal.
    std::set<int> differingColumns() const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QString m_text;
};

} // namespace halfstep::ui
