#include "ui/models/history_model.h"
#include "ui/format/format.h"
#include "ui/models/run_table_model.h"
#include "ui/models/table_text.h"
#include <QDateTime>
#include <algorithm>
#include <array>

namespace halfstep::ui {
namespace {

struct ColumnLook {
    const char* title;
    const char* toolTip;
};

constexpr std::array<ColumnLook, kHistoryColumns> kLooks{{
    {"Entry", "A training run or a sweep, with its number"},
    {"State", "How it ended, or that it goes on"},
    {"Started", "Local time"},
    {"What", "What was trained or measured"},
    {"Result", "Accuracy on the validation photographs and ms of a step, the median; of a sweep, its cells"},
    {"Extent", "How much of it was done"},
    {"Took", "From start to end, pauses included"},
    {"Data", "The set of photographs"},
    {"Name", "As given when it was started"},
}};

HistoryColumn columnAt(int column) {
    return static_cast<HistoryColumn>(column);
}

std::optional<qint64> secondsOf(const HistoryEntry& entry) {
    const QDateTime start = QDateTime::fromString(entry.startedAt, Qt::ISODate);
    const QDateTime end = QDateTime::fromString(entry.endedAt, Qt::ISODate);
    return start.isValid() && end.isValid() ? std::optional(start.secsTo(end)) : std::nullopt;
}

QString shownIn(const HistoryEntry& entry, HistoryColumn column) {
    const auto orAbsent = [](const QString& text) { return text.isEmpty() ? absent() : text; };
    switch (column) {
    case HistoryColumn::Entry:
        return entry.key.text();
    case HistoryColumn::State: {
        const std::string_view name = values::nameOf(entry.status);
        return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    case HistoryColumn::What:
        return entry.what;
    case HistoryColumn::Result:
        return orAbsent(entry.result);
    case HistoryColumn::Extent:
        return entry.extent;
    case HistoryColumn::Data:
        return orAbsent(entry.data);
    case HistoryColumn::Started:
        return localTime(entry.startedAt);
    case HistoryColumn::Took: {
        const auto seconds = secondsOf(entry);
        return seconds ? duration(static_cast<double>(*seconds)) : absent();
    }
    case HistoryColumn::Name:
        return entry.name;
    }
    return {};
}

QVariant sortedBy(const HistoryEntry& entry, HistoryColumn column) {
    switch (column) {
    case HistoryColumn::Entry: // runs and sweeps in the order in which they were started
    case HistoryColumn::Started:
        return entry.startedAt;
    case HistoryColumn::Took: {
        const auto seconds = secondsOf(entry);
        return seconds ? QVariant(*seconds) : QVariant();
    }
    default: {
        const QString text = shownIn(entry, column);
        return text == absent() ? QVariant() : QVariant(text);
    }
    }
}

QString copiedFrom(const HistoryEntry& entry, HistoryColumn column) {
    if (column == HistoryColumn::Started) {
        return entry.startedAt;
    }
    if (column == HistoryColumn::Took) {
        const auto seconds = secondsOf(entry);
        return seconds ? QString::number(*seconds) : QString();
    }
    const QString text = shownIn(entry, column);
    return text == absent() ? QString() : text;
}

} // namespace

void HistoryModel::setRuns(const std::vector<store::StoredRun>& runs) {
    m_runs.clear();
    std::ranges::transform(runs, std::back_inserter(m_runs), [](const auto& run) { return entryOf(run); });
    show();
}

void HistoryModel::setSweeps(const std::vector<values::Sweep>& sweeps) {
    m_sweeps.clear();
    std::ranges::transform(sweeps, std::back_inserter(m_sweeps), [](const auto& sweep) { return entryOf(sweep); });
    show();
}

void HistoryModel::hide(const std::set<EntryKey>& keys) {
    m_hidden.insert(keys.begin(), keys.end());
    show();
}

void HistoryModel::restore(const std::set<EntryKey>& keys) {
    std::erase_if(m_hidden, [&](const EntryKey& key) { return keys.contains(key); });
    show();
}

void HistoryModel::show() {
    std::vector<HistoryEntry> shown;
    for (const auto* entries : {&m_runs, &m_sweeps}) {
        std::ranges::copy_if(*entries, std::back_inserter(shown),
                             [this](const HistoryEntry& entry) { return !m_hidden.contains(entry.key); });
    }
    std::ranges::stable_sort(shown, std::greater{}, &HistoryEntry::startedAt);
    const auto same = [](const HistoryEntry& a, const HistoryEntry& b) { return a.key == b.key; };
    if (std::ranges::equal(shown, m_shown, same)) { // selection and scroll position stay
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

int HistoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int HistoryModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kHistoryColumns;
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const HistoryEntry& entry = entryAt(index.row());
    const HistoryColumn column = columnAt(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return shownIn(entry, column);
    case kCopyRole:
        return copiedFrom(entry, column);
    case RunTableModel::kSortRole:
        return sortedBy(entry, column);
    case Qt::ToolTipRole:
        return column == HistoryColumn::State && !entry.message.isEmpty() ? entry.message : shownIn(entry, column);
    default:
        return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    const ColumnLook& look = kLooks[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return tr(look.title);
    case Qt::ToolTipRole:
        return tr(look.toolTip);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignLeft);
    default:
        return {};
    }
}

} // namespace halfstep::ui
