#include "ui/models/skipped_model.h"
#include <utility>

namespace halfstep::ui {

void SkippedModel::setFiles(std::vector<data::SkippedFile> files) {
    beginResetModel();
    m_files = std::move(files);
    endResetModel();
}

int SkippedModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_files.size());
}

int SkippedModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 2;
}

QVariant SkippedModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return {};
    }
    const data::SkippedFile& file = m_files[static_cast<std::size_t>(index.row())];
    return QString::fromStdString(index.column() == 0 ? file.path : file.reason);
}

QVariant SkippedModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    return section == 0 ? QStringLiteral("File") : QStringLiteral("Reason");
}

} // namespace halfstep::ui
