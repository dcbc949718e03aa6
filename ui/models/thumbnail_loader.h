#pragma once
#include "engine/data/dataset.h"
#include <QCache>
#include <QImage>
#include <QList>
#include <QObject>
#include <QThreadPool>
#include <memory>

namespace halfstep::ui {

/// Makes the thumbnails of one split, off the GUI thread: the pixels lie in a mapped file, and touching them may wait
/// for the disk. What was asked for last is made first, since that is what the person looks at now.
class ThumbnailLoader : public QObject {
    Q_OBJECT

public:
    struct Limits {
        qint64 cacheBytes = qint64{96} << 20; ///< of finished thumbnails; the least recently used go first
        int waiting = 400;                    ///< the oldest requests beyond this are dropped, to be asked for again
        int threads = 2;
    };

    explicit ThumbnailLoader(QObject* parent = nullptr);
    ThumbnailLoader(Limits limits, QObject* parent);
    ~ThumbnailLoader() override;

    /// Forgets everything; `side` is in device pixels.
    void setSource(std::shared_ptr<const data::Dataset> dataset, data::Split split, int side);

    /// The thumbnail, or a null image if it has yet to be made: then it is asked for, and `ready` tells.
    QImage thumbnail(qint64 photograph);

    qint64 cachedBytes() const;
    /// Thumbnails made since setSource().
    qint64 made() const { return m_made; }

signals:
    /// Photographs of the split whose thumbnails can be had now.
    void ready(const QList<qint64>& photographs);

private:
    struct Work;
    void collect();

    const Limits m_limits;
    QThreadPool m_pool;
    std::shared_ptr<Work> m_work; ///< shared with the pool's threads; replaced as a whole by setSource()
    QCache<qint64, QImage> m_cache;
    qint64 m_made = 0;
};

} // namespace halfstep::ui
