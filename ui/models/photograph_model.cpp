#include "ui/models/photograph_model.h"
#include <utility>

namespace halfstep::ui {

PhotographModel::PhotographModel(QObject* parent, ThumbnailLoader::Limits limits)
    : QAbstractListModel(parent),
      m_thumbnails(limits, nullptr) {
    connect(&m_thumbnails, &ThumbnailLoader::ready, this, &PhotographModel::tellReady);
}

void PhotographModel::setSource(std::shared_ptr<const data::Dataset> dataset, data::Split split, int side) {
    m_dataset = std::move(dataset);
    m_split = split;
    m_thumbnails.setSource(m_dataset, split, side);
    rebuild();
}

void PhotographModel::setLabel(std::optional<int> label) {
    if (std::exchange(m_label, label) != label) {
        rebuild();
    }
}

void PhotographModel::setFilterText(const QString& text) {
    if (std::exchange(m_text, text) != text) {
        rebuild();
    }
}

void PhotographModel::rebuild() {
    beginResetModel();
    m_rows.clear();
    m_rowOf.clear();
    if (m_dataset) {
        std::vector<bool> nameMatches;
        for (const data::ClassInfo& info : m_dataset->info().classes) {
            nameMatches.push_back(QString::fromStdString(info.name).contains(m_text, Qt::CaseInsensitive));
        }
        const auto& all = m_dataset->photographs(m_split);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (m_label && all[i].label != *m_label) {
                continue;
            }
            if (m_text.isEmpty() || nameMatches[static_cast<std::size_t>(all[i].label)] ||
                QString::fromStdString(all[i].path).contains(m_text, Qt::CaseInsensitive)) {
                m_rowOf.emplace(static_cast<qint64>(i), static_cast<int>(m_rows.size()));
                m_rows.push_back(static_cast<qint64>(i));
            }
        }
    }
    endResetModel();
}

int PhotographModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant PhotographModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const qint64 photograph = photographAt(index.row());
    const data::Photograph& facts = m_dataset->photographs(m_split)[static_cast<std::size_t>(photograph)];
    const auto className = [&] {
        return QString::fromStdString(m_dataset->info().classes[static_cast<std::size_t>(facts.label)].name);
    };
    switch (role) {
    case Qt::DecorationRole:
        return m_thumbnails.thumbnail(photograph);
    case Qt::DisplayRole:
    case ClassNameRole:
        return className();
    case Qt::ToolTipRole:
    case PathRole:
        return QString::fromStdString(facts.path);
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2").arg(className(), QString::fromStdString(facts.path));
    case PhotographRole:
        return photograph;
    default:
        return {};
    }
}

void PhotographModel::tellReady(const QList<qint64>& photographs) {
    for (const qint64 photograph : photographs) {
        if (const auto row = m_rowOf.find(photograph); row != m_rowOf.end()) {
            const QModelIndex changed = index(row->second);
            emit dataChanged(changed, changed, {Qt::DecorationRole});
        }
    }
}

} // namespace halfstep::ui
