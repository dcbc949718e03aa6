#include "ui/bridge/sweep_history.h"
#include "engine/store/run_export.h"
#include <QMetaObject>
#include <utility>

namespace halfstep::ui {

SweepHistory::SweepHistory(std::filesystem::path historyFile, QObject* parent)
    : QObject(parent),
      m_historyFile(std::move(historyFile)) {
    m_pool.setMaxThreadCount(1);
    m_pool.setExpiryTimeout(-1); // one store per thread: so always the same thread
}

SweepHistory::~SweepHistory() {
    m_pool.waitForDone();
}

template <typename Work>
void SweepHistory::serve(Work work) {
    m_pool.start([this, work = std::move(work)] {
        try {
            QMetaObject::invokeMethod(this, work(), Qt::QueuedConnection);
        } catch (const std::exception& error) {
            QMetaObject::invokeMethod(
                this, [this, sentence = QString::fromUtf8(error.what())] { emit failed(sentence); },
                Qt::QueuedConnection);
        }
    });
}

store::SweepStore& SweepHistory::store() {
    if (!m_store) {
        m_store.emplace(m_historyFile);
    }
    return *m_store;
}

void SweepHistory::readSweeps() {
    serve([this] {
        std::vector<SweepEntry> entries;
        for (const values::Sweep& sweep : store().sweeps()) {
            entries.push_back({sweep.id, sweep.status, sweep.startedAt, sweep.cells.size()});
        }
        return [this, entries] { emit sweepsRead(entries); };
    });
}

void SweepHistory::readSweep(std::int64_t sweep) {
    serve([this, sweep] {
        MeasuredSweepPtr measured;
        if (auto stored = store().sweep(sweep)) {
            measured = measuredSweep(std::move(*stored));
        }
        return [this, sweep, measured] { emit sweepRead(sweep, measured); };
    });
}

void SweepHistory::write(const MeasuredSweepPtr& sweep, const std::function<std::string(const values::Sweep&)>& text,
                         const QString& file) {
    serve([this, sweep, text, file] {
        store::writeFileAtomically(file.toStdString(), text(sweep->sweep));
        return [this, file] { emit written(file); };
    });
}

} // namespace halfstep::ui
