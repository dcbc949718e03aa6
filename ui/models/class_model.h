#pragma once
#include "engine/data/dataset.h"
#include <QAbstractListModel>
#include <optional>
#include <vector>

namespace halfstep::ui {

/// The classes of a set with the count of photographs in one split; row 0 is "All classes".
class ClassModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        CountRole = Qt::UserRole, ///< qint64
        ShareRole,                ///< double: count over the largest class's, 0 to 1; none for row 0
    };

    using QAbstractListModel::QAbstractListModel;

    void setSource(std::vector<data::ClassInfo> classes, data::Split split);
    /// Nothing for row 0.
    static std::optional<int> labelAt(int row);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::int64_t countOf(int label) const;

    std::vector<data::ClassInfo> m_classes;
    data::Split m_split = data::Split::Train;
};

} // namespace halfstep::ui
