#include "ui/models/thumbnail_loader.h"
#include "ui/models/thumbnail.h"
#include <QMetaObject>
#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_set>
#include <utility>
#include <vector>

namespace halfstep::ui {

/// What the GUI thread and the pool's threads share for one split.
struct ThumbnailLoader::Work {
    std::shared_ptr<const data::Dataset> dataset;
    data::Split split = data::Split::Train;
    int side = 0;

    std::mutex mutex;
    std::deque<qint64> waiting;          ///< newest last
    std::unordered_set<qint64> underWay; ///< waiting, being made, or finished and not collected
    std::vector<std::pair<qint64, QImage>> finished;
    int workers = 0;
    bool abandoned = false;

    QImage make(qint64 photograph) const {
        const auto& all = dataset->photographs(split);
        return thumbnailOf(dataset->pixels(split, photograph), dataset->info().imageSize,
                           all[static_cast<std::size_t>(photograph)], side);
    }
};

ThumbnailLoader::ThumbnailLoader(QObject* parent) : ThumbnailLoader(Limits{}, parent) {}

ThumbnailLoader::ThumbnailLoader(Limits limits, QObject* parent)
    : QObject(parent),
      m_limits(limits),
      m_cache(limits.cacheBytes) {
    m_pool.setMaxThreadCount(limits.threads);
}

ThumbnailLoader::~ThumbnailLoader() {
    setSource(nullptr, data::Split::Train, 0);
    m_pool.waitForDone(); // the threads call back into this object
}

void ThumbnailLoader::setSource(std::shared_ptr<const data::Dataset> dataset, data::Split split, int side) {
    if (m_work) {
        const std::lock_guard lock(m_work->mutex);
        m_work->abandoned = true;
        m_work->waiting.clear();
    }
    m_work = std::make_shared<Work>();
    m_work->dataset = std::move(dataset);
    m_work->split = split;
    m_work->side = side;
    m_cache.clear();
    m_made = 0;
}

QImage ThumbnailLoader::thumbnail(qint64 photograph) {
    if (const QImage* cached = m_cache.object(photograph)) {
        return *cached;
    }
    if (!m_work || !m_work->dataset) {
        return {};
    }
    const std::lock_guard lock(m_work->mutex);
    auto& waiting = m_work->waiting;
    if (!m_work->underWay.insert(photograph).second) {
        // Asked for again: it moves to the front if nobody has begun it.
        const auto place = std::find(waiting.begin(), waiting.end(), photograph);
        if (place != waiting.end()) {
            waiting.erase(place);
            waiting.push_back(photograph);
        }
        return {};
    }
    waiting.push_back(photograph);
    if (std::cmp_greater(waiting.size(), m_limits.waiting)) {
        m_work->underWay.erase(waiting.front());
        waiting.pop_front();
    }
    if (m_work->workers < m_limits.threads) {
        ++m_work->workers;
        m_pool.start([this, work = m_work] {
            std::unique_lock held(work->mutex);
            while (!work->waiting.empty()) {
                const qint64 newest = work->waiting.back();
                work->waiting.pop_back();
                held.unlock();
                QImage image = work->make(newest);
                held.lock();
                if (work->abandoned) {
                    break;
                }
                work->finished.emplace_back(newest, std::move(image));
                if (work->finished.size() == 1) { // one call brings all that are finished by then
                    QMetaObject::invokeMethod(
                        this, [this] { collect(); }, Qt::QueuedConnection);
                }
            }
            --work->workers;
        });
    }
    return {};
}

void ThumbnailLoader::collect() {
    std::vector<std::pair<qint64, QImage>> finished;
    {
        const std::lock_guard lock(m_work->mutex);
        finished = std::exchange(m_work->finished, {});
        for (const auto& [photograph, image] : finished) {
            m_work->underWay.erase(photograph);
        }
    }
    if (finished.empty()) {
        return; // they were of a source that has been replaced
    }
    QList<qint64> photographs;
    for (auto& [photograph, image] : finished) {
        photographs.append(photograph);
        const qint64 bytes = image.sizeInBytes();
        m_cache.insert(photograph, new QImage(std::move(image)), bytes);
    }
    m_made += photographs.size();
    emit ready(photographs);
}

qint64 ThumbnailLoader::cachedBytes() const {
    return m_cache.totalCost();
}

} // namespace halfstep::ui
