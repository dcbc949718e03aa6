#pragma once
#include "engine/data/dataset.h"
#include "ui/models/thumbnail_loader.h"
#include <QAbstractListModel>
#include <QString>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace halfstep::ui {

/// The photographs of one split that pass a class and a text filter. Rows are indices only; thumbnails are made when
/// a view asks for them.
class PhotographModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        PhotographRole = Qt::UserRole, ///< qint64, index in the split
        ClassNameRole,                 ///< QString
        PathRole,                      ///< QString, relative to the set
    };

    explicit PhotographModel(QObject* parent = nullptr, ThumbnailLoader::Limits limits = {});

    /// Shows `split` of `dataset` (null: nothing) with thumbnails of `side` device pixels; keeps the filters.
    void setSource(std::shared_ptr<const data::Dataset> dataset, data::Split split, int side);
    /// Only this label; nothing: all.
    void setLabel(std::optional<int> label);
    /// Only photographs whose path or class name contains this, in any case.
    void setFilterText(const QString& text);

    const std::shared_ptr<const data::Dataset>& dataset() const { return m_dataset; }
    data::Split split() const { return m_split; }
    qint64 photographAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    const ThumbnailLoader& thumbnails() const { return m_thumbnails; }

    int rowCount(const QModelIndex& parent = {}) const override;
    /// DecorationRole is a QImage, null until it is made.
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    void rebuild();
    void tellReady(const QList<qint64>& photographs);

    std::shared_ptr<const data::Dataset> m_dataset;
    data::Split m_split = data::Split::Train;
    std::optional<int> m_label;
    QString m_text;
    std::vector<qint64> m_rows;
    std::unordered_map<qint64, int> m_rowOf;
    mutable ThumbnailLoader m_thumbnails; ///< asking for a thumbnail is how a lazy model starts making it
};

} // namespace halfstep::ui
