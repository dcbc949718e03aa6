#pragma once
#include "ui/models/history_entry.h"
#include <QAbstractTableModel>
#include <set>
#include <vector>

namespace halfstep::ui {

enum class HistoryColumn { Entry, State, Started, What, Result, Extent, Took, Data, Name };
inline constexpr int kHistoryColumns = static_cast<int>(HistoryColumn::Name) + 1;

/// Runs and sweeps of the history in one table, newest first. Sorted and searched through RunFilterModel.
class HistoryModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(const std::vector<store::StoredRun>& runs);
    void setSweeps(const std::vector<values::Sweep>& sweeps);
    /// Hidden entries are as good as deleted, but can come back.
    void hide(const std::set<EntryKey>& keys);
    void restore(const std::set<EntryKey>& keys);

    const HistoryEntry& entryAt(int row) const { return m_shown[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void show();

    std::vector<HistoryEntry> m_runs;
    std::vector<HistoryEntry> m_sweeps;
    std::vector<HistoryEntry> m_shown;
    std::set<EntryKey> m_hidden;
};

} // namespace halfstep::ui
