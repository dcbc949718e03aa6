#include "ui/bridge/run_history.h"
#include "engine/store/run_export.h"
#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include "ui/bridge/kept_checkpoints.h"
#include <QFileInfo>
#include <QMetaObject>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

namespace halfstep::ui {

namespace {

report::RunRecord recordOf(const store::RunStore& history, std::int64_t id) {
    const std::optional<store::StoredRun> run = history.run(id);
    if (!run) {
        throw StoreError(fmt::format("Run {} cannot be exported: it is not in the history any more.", id));
    }
    return {.run = *run, .epochs = history.epochs(id), .steps = history.steps(id)};
}

std::string jsonOf(const report::RunRecord& record) {
    return values::jsonText(store::runJson(record.run, record.epochs, &record.steps)) + '\n';
}

} // namespace

RunHistory::RunHistory(std::filesystem::path historyFile, QObject* parent)
    : QObject(parent),
      m_historyFile(std::move(historyFile)) {
    m_pool.setMaxThreadCount(1);
    m_pool.setExpiryTimeout(-1); // one store per thread: so always the same thread
}

RunHistory::~RunHistory() {
    m_pool.waitForDone();
}

template <typename Work>
void RunHistory::serve(Work work) {
    m_pool.start([this, work = std::move(work)] {
        try {
            if (!m_store) {
                m_store.emplace(m_historyFile);
            }
            QMetaObject::invokeMethod(this, work(*m_store), Qt::QueuedConnection);
        } catch (const std::exception& error) {
            QMetaObject::invokeMethod(
                this, [this, sentence = QString::fromUtf8(error.what())] { emit failed(sentence); },
                Qt::QueuedConnection);
        }
    });
}

void RunHistory::readRuns() {
    serve([this](const store::RunStore& history) { return [this, runs = history.runs()] { emit runsRead(runs); }; });
}

void RunHistory::readRecords(std::int64_t run) {
    serve([this, run](const store::RunStore& history) {
        std::shared_ptr<RunRecords> records;
        if (const std::optional<store::StoredRun> stored = history.run(run)) {
            records = std::make_shared<RunRecords>(RunRecords{*stored, history.steps(run), history.epochs(run)});
        }
        return [this, records] {
            if (records) { // else another process has just deleted it; the next readRuns() tells
                emit recordsRead(records);
            }
        };
    });
}

void RunHistory::readNumericsSteps(std::int64_t run) {
    serve([this, run](const store::RunStore& history) {
        return [this, run, steps = history.numericsSteps(run)] { emit numericsStepsRead(run, steps); };
    });
}

void RunHistory::readNumerics(std::int64_t run, std::int64_t step) {
    serve([this, run, step](const store::RunStore& history) {
        std::shared_ptr<const values::NumericsRecord> record;
        if (auto stored = history.numerics(run, step)) {
            record = std::make_shared<values::NumericsRecord>(std::move(*stored));
        }
        return [this, run, record] { emit numericsRead(run, record); };
    });
}

void RunHistory::remove(const std::vector<std::int64_t>& runs) {
    serve([this, runs](store::RunStore& history) {
        for (const std::int64_t run : runs) {
            const std::optional<store::StoredRun> stored = history.run(run);
            if (stored && history.remove(run)) {
                removeKeptCheckpoints(m_historyFile, stored->config.checkpoint);
            }
        }
        return [this] { emit removed(); };
    });
}

store::SweepStore& RunHistory::sweepStore() {
    if (!m_sweeps) {
        m_sweeps.emplace(m_historyFile);
    }
    return *m_sweeps;
}

values::Sweep RunHistory::storedSweep(std::int64_t id) {
    std::optional<values::Sweep> sweep = sweepStore().sweep(id);
    if (!sweep) {
        throw StoreError(fmt::format("Sweep {} cannot be exported: it is not in the history any more.", id));
    }
    return *std::move(sweep);
}

void RunHistory::readSweeps() {
    serve([this](const store::RunStore&) {
        return [this, sweeps = sweepStore().sweeps()] { emit sweepsRead(sweeps); };
    });
}

void RunHistory::removeSweeps(const std::vector<std::int64_t>& sweeps) {
    serve([this, sweeps](const store::RunStore&) {
        for (const std::int64_t sweep : sweeps) {
            sweepStore().remove(sweep);
        }
        return [this] { emit removed(); };
    });
}

void RunHistory::exportSteps(const std::vector<std::int64_t>& runs, const QString& file) {
    serve([this, runs, file](const store::RunStore& history) {
        std::ostringstream csv;
        csv << store::stepsCsvHeader() << '\n';
        for (const std::int64_t run : runs) {
            for (const values::StepRecord& step : history.steps(run)) {
                csv << store::stepsCsvRow(run, step) << '\n';
            }
        }
        store::writeFileAtomically(file.toStdString(), csv.str());
        return [this, file] { emit exported(file); };
    });
}

void RunHistory::exportRun(std::int64_t run, const QString& file) {
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix != QLatin1String("json") && suffix != QLatin1String("md") && suffix != QLatin1String("tex")) {
        exportSteps({run}, file);
        return;
    }
    serve([this, run, file, suffix](const store::RunStore& history) {
        const report::RunRecord record = recordOf(history, run);
        const std::string text = suffix == QLatin1String("md")    ? report::runMarkdown(record)
                                 : suffix == QLatin1String("tex") ? report::runLatex(record)
                                                                  : jsonOf(record);
        store::writeFileAtomically(file.toStdString(), text);
        return [this, file] { emit exported(file); };
    });
}

void RunHistory::exportSweep(std::int64_t sweep, const std::function<std::string(const values::Sweep&)>& text,
                             const QString& file) {
    serve([this, sweep, text, file](const store::RunStore&) {
        store::writeFileAtomically(file.toStdString(), text(storedSweep(sweep)));
        return [this, file] { emit exported(file); };
    });
}

void RunHistory::readContent(const std::vector<std::int64_t>& runs, const std::vector<std::int64_t>& sweeps,
                             const QString& file) {
    serve([this, runs, sweeps, file](const store::RunStore& history) {
        auto content = std::make_shared<report::ReportContent>();
        for (const std::int64_t sweep : sweeps) {
            content->sweeps.push_back(storedSweep(sweep));
        }
        for (const std::int64_t run : runs) {
            content->runs.push_back(recordOf(history, run));
        }
        return [this, content, file] { emit contentRead(content, file); };
    });
}

void RunHistory::write(const std::string& text, const QString& file) {
    serve([this, text, file](const store::RunStore&) {
        store::writeFileAtomically(file.toStdString(), text);
        return [this, file] { emit exported(file); };
    });
}

} // namespace halfstep::ui
