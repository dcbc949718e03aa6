#include "ui/models/run_table_model.h"
#include "ui/models/table_text.h"
#include "ui/widgets/policy_mark.h"
#include <algorithm>
#include <utility>

namespace halfstep::ui {
namespace {

RunColumn columnAt(int column) {
    return static_cast<RunColumn>(column);
}

} // namespace

RunTableModel::RunTableModel(QObject* parent) : QAbstractTableModel(parent) {
    for (const precision::Policy policy : precision::kPolicies) {
        m_policyIcons[static_cast<std::size_t>(policy)] = policyIcon(policy);
    }
}

void RunTableModel::setRuns(std::vector<store::StoredRun> runs) {
    using values::RunStatus;
    const std::set<std::int64_t> before = m_checked;
    const bool first = !std::exchange(m_filled, true);
    if (const auto wanted = std::exchange(m_toCheck, std::nullopt)) {
        m_checked = *wanted;
    } else if (first) {
        for (const store::StoredRun& run : runs) {
            if (run.stepsDone > 0 && std::ssize(m_checked) < kFirstChecked) {
                m_checked.insert(run.id);
            }
        }
    } else {
        for (const store::StoredRun& run : runs) {
            const auto known = std::ranges::find(m_all, run.id, &store::StoredRun::id);
            const bool wasOpen = known == m_all.end() || known->status == RunStatus::Running;
            if (wasOpen && run.status != RunStatus::Running && run.stepsDone > 0) {
                m_checked.insert(run.id);
            }
        }
    }
    m_all = std::move(runs);
    std::erase_if(m_checked, [this](std::int64_t run) {
        return std::ranges::find(m_all, run, &store::StoredRun::id) == m_all.end();
    });
    showRuns();
    if (m_checked != before) {
        emit checkedRunsChanged();
    }
}

void RunTableModel::showRuns() {
    std::vector<store::StoredRun> shown;
    std::ranges::copy_if(m_all, std::back_inserter(shown),
                         [this](const store::StoredRun& run) { return !m_hidden.contains(run.id); });
    const auto sameRun = [](const store::StoredRun& a, const store::StoredRun& b) { return a.id == b.id; };
    if (std::ranges::equal(shown, m_shown, sameRun)) { // selection and scroll position stay
        m_shown = std::move(shown);
        if (!m_shown.empty()) {
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        }
        return;
    }
    beginResetModel();
    m_shown = std::move(shown);
    endResetModel();
}

void RunTableModel::hideRuns(const std::set<std::int64_t>& runs) {
    m_hidden.insert(runs.begin(), runs.end());
    showRuns();
    emit checkedRunsChanged();
}

void RunTableModel::restoreRuns(const std::set<std::int64_t>& runs) {
    std::erase_if(m_hidden, [&](std::int64_t run) { return runs.contains(run); });
    showRuns();
    emit checkedRunsChanged();
}

std::vector<std::int64_t> RunTableModel::checkedRuns() const {
    std::vector<std::int64_t> checked;
    for (const store::StoredRun& run : m_shown) {
        if (m_checked.contains(run.id)) {
            checked.push_back(run.id);
        }
    }
    return checked;
}

void RunTableModel::setChecked(std::int64_t run, bool checked) {
    if (m_checked.contains(run) == checked) {
        return;
    }
    checked ? void(m_checked.insert(run)) : void(m_checked.erase(run));
    const auto place = std::ranges::find(m_shown, run, &store::StoredRun::id);
    if (place != m_shown.end()) {
        const QModelIndex cell = index(static_cast<int>(place - m_shown.begin()), 0);
        emit dataChanged(cell, cell, {Qt::CheckStateRole});
    }
    emit checkedRunsChanged();
}

void RunTableModel::checkOnly(const std::set<std::int64_t>& runs) {
    m_toCheck = runs; // of the list that is being read too
    if (!m_filled) {
        return;
    }
    m_checked = runs;
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::CheckStateRole});
    }
    emit checkedRunsChanged();
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kRunColumns;
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const store::StoredRun& run = runAt(index.row());
    const RunColumn column = columnAt(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return runCell(run, column).shown;
    case kCopyRole:
        return runCell(run, column).copied;
    case kSortRole:
        return runCell(run, column).sorted;
    case kRunRole:
        return static_cast<qlonglong>(run.id);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isNumeric(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ToolTipRole:
        if (column == RunColumn::State && !run.message.empty()) {
            return QString::fromStdString(run.message);
        }
        return column == RunColumn::Name || column == RunColumn::Data ? runCell(run, column).shown : QVariant();
    case Qt::DecorationRole:
        return column == RunColumn::Policy ? QVariant(m_policyIcons[static_cast<std::size_t>(run.config.policy)])
                                           : QVariant();
    case Qt::CheckStateRole:
        return column == RunColumn::Run ? QVariant(m_checked.contains(run.id) ? Qt::Checked : Qt::Unchecked)
                                        : QVariant();
    default:
        return {};
    }
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::CheckStateRole || columnAt(index.column()) != RunColumn::Run) {
        return false;
    }
    setChecked(runAt(index.row()).id, value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && columnAt(index.column()) == RunColumn::Run ? flags | Qt::ItemIsUserCheckable : flags;
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return runColumnTitle(columnAt(section));
    case Qt::ToolTipRole:
        return runColumnToolTip(columnAt(section));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (isNumeric(columnAt(section)) ? Qt::AlignRight : Qt::AlignLeft));
    default:
        return {};
    }
}

void RunFilterModel::setFilterText(const QString& text) {
    m_text = text;
    invalidateFilter();
}

std::set<int> RunFilterModel::differingColumns() const {
    std::set<int> differing;
    for (int column = 0; column < columnCount(); ++column) {
        for (int row = 1; row < rowCount(); ++row) {
            if (index(row, column).data(kCopyRole) != index(0, column).data(kCopyRole)) {
                differing.insert(column);
                break;
            }
        }
    }
    return differing;
}

bool RunFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (m_text.isEmpty()) {
        return true;
    }
    for (int column = 0; column < sourceModel()->columnCount(parent); ++column) {
        if (sourceModel()->index(row, column, parent).data().toString().contains(m_text, Qt::CaseInsensitive)) {
            return true;
        }
    }
    return false;
}

bool RunFilterModel::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(RunTableModel::kSortRole);
    const QVariant b = right.data(RunTableModel::kSortRole);
    if (a.isValid() != b.isValid()) { // without a value: last, whichever way it sorts
        return (sortOrder() == Qt::AscendingOrder) == a.isValid();
    }
    if (a.typeId() == QMetaType::QString) {
        return a.toString().localeAwareCompare(b.toString()) < 0;
    }
    return a.toDouble() < b.toDouble();
}

} // namespace halfstep::ui
