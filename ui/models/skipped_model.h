#pragma once
#include "engine/data/dataset.h"
#include <QAbstractTableModel>
#include <vector>

namespace halfstep::ui {

/// The files of a set that cannot be used: path and reason.
class SkippedModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setFiles(std::vector<data::SkippedFile> files);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<data::SkippedFile> m_files;
};

} // namespace halfstep::ui
