#include "ui/models/class_model.h"
#include "ui/format/format.h"
#include <algorithm>
#include <utility>

namespace halfstep::ui {

void ClassModel::setSource(std::vector<data::ClassInfo> classes, data::Split split) {
    // The rows of a set stay when only the split changes, and with them the selection.
    const bool sameRows = classes.size() == m_classes.size() && !classes.empty();
    if (!sameRows) {
        beginResetModel();
    }
    m_classes = std::move(classes);
    m_split = split;
    if (sameRows) {
        emit dataChanged(index(0), index(rowCount() - 1));
    } else {
        endResetModel();
    }
}

std::optional<int> ClassModel::labelAt(int row) {
    return row > 0 ? std::optional(row - 1) : std::nullopt;
}

int ClassModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || m_classes.empty() ? 0 : static_cast<int>(m_classes.size()) + 1;
}

std::int64_t ClassModel::countOf(int label) const {
    const data::ClassInfo& info = m_classes[static_cast<std::size_t>(label)];
    return m_split == data::Split::Train ? info.train : info.validation;
}

QVariant ClassModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const std::optional<int> label = labelAt(index.row());
    std::int64_t total = 0, largest = 0;
    for (int i = 0; i < static_cast<int>(m_classes.size()); ++i) {
        total += countOf(i);
        largest = std::max(largest, countOf(i));
    }
    const std::int64_t photographs = label ? countOf(*label) : total;
    const QString name = label ? QString::fromStdString(m_classes[static_cast<std::size_t>(*label)].name)
                               : QStringLiteral("All classes");
    switch (role) {
    case Qt::DisplayRole:
        return name;
    case Qt::ToolTipRole: {
        const std::string wnid = label ? m_classes[static_cast<std::size_t>(*label)].wnid : std::string{};
        return wnid.empty() ? QString() : QStringLiteral("%1 (%2)").arg(name, QString::fromStdString(wnid));
    }
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2 photographs").arg(name, count(photographs));
    case CountRole:
        return static_cast<qint64>(photographs);
    case ShareRole:
        return label && largest > 0 ? QVariant(static_cast<double>(photographs) / static_cast<double>(largest))
                                    : QVariant();
    default:
        return {};
    }
}

} // namespace halfstep::ui
