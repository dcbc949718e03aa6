#include "ui/pages/history_page.h"
#include "ui/pages/history_detail.h"
#include "ui/pages/history_table.h"
#include "ui/report/report_charts.h"
#include "ui/report/sweep_exports.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/save_dialog.h"
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace halfstep::ui {
namespace {

using Kind = EntryKey::Kind;

std::vector<std::int64_t> idsOf(const std::set<EntryKey>& keys, Kind kind) {
    std::vector<std::int64_t> ids;
    for (const EntryKey& key : keys) {
        if (key.kind == kind) {
            ids.push_back(key.id);
        }
    }
    return ids;
}

QString entriesText(std::size_t number) {
    return number == 1 ? HistoryPage::tr("1 entry") : HistoryPage::tr("%1 entries").arg(number);
}

} // namespace

HistoryPage::HistoryPage(const AppContext& context, QWidget* parent)
    : Page(parent),
      m_context(context),
      m_banner(new Banner),
      m_undo(new Banner),
      m_stack(new QStackedWidget),
      m_empty(new EmptyState(tr("Nothing in the history yet"),
                             tr("Every run and every sweep is kept here with its settings, its figures and the "
                                "machine it was made on."),
                             tr("Set up an experiment"))),
      m_table(new HistoryTable(&m_entries)),
      m_detail(new HistoryDetail),
      m_open(new QPushButton(tr("Open"))),
      m_compare(new QPushButton(tr("Compare"))),
      m_resume(new QPushButton(tr("Resume"))),
      m_export(new QPushButton(tr("Export…"))),
      m_delete(new QPushButton(tr("Delete"))),
      m_removal(m_undo),
      m_history(context.places.historyFile) {
    setObjectName(QStringLiteral("historyPage"));
    setAccessibleName(tr("History"));
    auto* splitter = new QSplitter(Qt::Horizontal);
    auto* left = new QWidget;
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(0, 0, 0, 0);
    leftLayout->setSpacing(kGrid);
    leftLayout->addWidget(makeTools());
    leftLayout->addWidget(m_table, 1);
    splitter->addWidget(left);
    splitter->addWidget(m_detail);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 1);
    splitter->setSizes({640, 304});
    splitter->setHandleWidth(2 * kGrid);
    splitter->setStyleSheet(QStringLiteral("QSplitter::handle { background: transparent; }"));
    m_detail->setMinimumWidth(30 * kGrid);

    m_stack->addWidget(splitter); // until it has been read nobody knows that it is empty
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    layout->addWidget(m_undo);
    layout->addWidget(m_banner);
    layout->addWidget(m_stack, 1);

    connect(m_empty, &EmptyState::actionRequested, this, &HistoryPage::experimentWanted);
    connect(m_table, &HistoryTable::selectedEntriesChanged, this, &HistoryPage::tellSelection);
    connect(m_table, &HistoryTable::openWanted, this, &HistoryPage::open);
    connect(m_table, &HistoryTable::deletionWanted, this, &HistoryPage::deleteSelected);
    connect(m_table->model(), &QAbstractItemModel::modelReset, this, &HistoryPage::tellSelection);
    connect(m_open, &QPushButton::clicked, this, &HistoryPage::open);
    connect(m_compare, &QPushButton::clicked, this, &HistoryPage::compare);
    connect(m_resume, &QPushButton::clicked, this, &HistoryPage::resume);
    connect(m_export, &QPushButton::clicked, this, &HistoryPage::exportSelected);
    connect(m_delete, &QPushButton::clicked, this, &HistoryPage::deleteSelected);
    connect(&m_history, &RunHistory::runsRead, this, [this](const std::vector<store::StoredRun>& runs) {
        m_runs = runs;
        m_entries.setRuns(runs);
    });
    connect(&m_history, &RunHistory::sweepsRead, this, [this](const std::vector<values::Sweep>& sweeps) {
        m_entries.setSweeps(sweeps);
        m_read = true; // they are asked for after the runs, and after what was to be deleted
        m_leaving.clear();
        take();
    });
    connect(&m_history, &RunHistory::removed, this, &Page::historyEdited);
    connect(&m_history, &RunHistory::contentRead, this, [this](const auto& content, const QString& file) {
        m_history.write(report::htmlReport(*content, reportCharts()), file);
    });
    connect(&m_history, &RunHistory::exported, this, [this](const QString& file) {
        m_banner->showMessage(Banner::Kind::Success, tr("Written to %1.").arg(file));
    });
    connect(&m_history, &RunHistory::failed, this, [this](const QString& sentence) {
        m_entries.restore(std::exchange(m_leaving, {})); // they may not have gone
        m_banner->showMessage(Banner::Kind::Error, sentence);
    });
    tellSelection();
}

HistoryPage::~HistoryPage() {
    m_removal.carryOut();
}

QWidget* HistoryPage::makeTools() {
    auto* search = new QLineEdit;
    search->setObjectName(QStringLiteral("historySearch"));
    search->setPlaceholderText(tr("Search the history"));
    search->setAccessibleName(tr("Search the history"));
    search->setClearButtonEnabled(true);
    search->setMaximumWidth(30 * kGrid);
    search->setTextMargins(kGrid / 2, 0, kGrid / 2, 0);
    connect(search, &QLineEdit::textChanged, m_table, &HistoryTable::setFilterText);
    m_open->setObjectName(QStringLiteral("historyOpen"));
    m_compare->setObjectName(QStringLiteral("historyCompare"));
    m_resume->setObjectName(QStringLiteral("historyResume"));
    m_export->setObjectName(QStringLiteral("historyExport"));
    m_delete->setObjectName(QStringLiteral("historyDelete"));

    auto* tools = new QWidget;
    auto* layout = new QHBoxLayout(tools);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(search, 1);
    layout->addStretch();
    for (QPushButton* button : {m_open, m_compare, m_resume, m_export, m_delete}) {
        layout->addWidget(button);
    }
    return tools;
}

void HistoryPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    read(); // another process may have trained meanwhile
}

void HistoryPage::historyChanged() {
    if (isVisible()) {
        read();
    }
}

void HistoryPage::read() {
    m_history.readRuns();
    m_history.readSweeps();
}

void HistoryPage::take() {
    const bool nothing = m_entries.rowCount() == 0 && !m_removal.waits();
    m_stack->setCurrentIndex(m_read && nothing ? 1 : 0);
    if (!m_table->selectionModel()->hasSelection() && m_table->model()->rowCount() > 0) {
        m_table->selectRow(0);
    }
    tellSelection();
}

void HistoryPage::setBusy(const QString& sentence) {
    m_busy = sentence;
    tellSelection();
}

void HistoryPage::tellSelection() {
    const std::vector<HistoryEntry> selected = m_table->selectedEntries();
    const bool one = selected.size() == 1;
    const auto runs = static_cast<std::size_t>(
        std::ranges::count_if(selected, [](const HistoryEntry& entry) { return entry.key.kind == Kind::Run; }));
    const auto set = [](QPushButton* button, const QString& reason, const QString& help) {
        button->setEnabled(reason.isEmpty());
        button->setToolTip(reason.isEmpty() ? help : reason);
    };
    const QString pick = tr("Select one entry in the table.");
    const bool isRun = one && runs == 1;
    set(m_open, one ? (isRun ? m_busy : QString()) : pick,
        tr("Show the run on the page Live, or the sweep on the page Compare (Return)"));
    set(m_compare, runs == selected.size() && runs > 0 ? QString() : tr("Select the runs that are to be compared."),
        tr("Put the curves and step times of the selected runs side by side"));
    set(m_resume,
        !one                                   ? pick
        : !selected.front().noResume.isEmpty() ? selected.front().noResume
                                               : m_busy,
        tr("Go on where it was stopped or interrupted"));
    set(m_export, selected.empty() ? tr("Select the runs and sweeps that are to be exported.") : QString(),
        tr("Write the steps of the run or the cells of the sweep, or a report of all that is selected"));
    set(m_delete, selected.empty() ? tr("Select entries in the table to delete them") : QString(),
        tr("Delete the selected entries (Del); it can be undone for %1 s").arg(UndoableRemoval::kTime / 1000));
    if (one) {
        m_detail->show(selected.front());
    } else {
        m_detail->showText(selected.empty() ? tr("Nothing selected") : entriesText(selected.size()),
                           tr("Select one entry to read its settings, figures and the machine it was made on."));
    }
}

void HistoryPage::open() {
    const std::vector<HistoryEntry> selected = m_table->selectedEntries();
    if (selected.size() != 1) {
        return;
    }
    const EntryKey key = selected.front().key;
    if (key.kind == Kind::Sweep) {
        emit openSweepWanted(key.id);
    } else if (m_busy.isEmpty()) {
        emit openRunWanted(key.id);
    } else {
        m_banner->showMessage(Banner::Kind::Information, m_busy);
    }
}

void HistoryPage::compare() {
    std::vector<std::int64_t> runs;
    for (const HistoryEntry& entry : m_table->selectedEntries()) {
        runs.push_back(entry.key.id);
    }
    emit compareWanted(runs);
}

void HistoryPage::resume() {
    const EntryKey key = m_table->selectedEntries().front().key;
    if (key.kind == Kind::Sweep) {
        emit resumeSweepWanted(key.id);
    } else if (const auto run = std::ranges::find(m_runs, key.id, &store::StoredRun::id); run != m_runs.end()) {
        emit resumeRunWanted(*run);
    }
}

std::set<EntryKey> HistoryPage::selectedKeys() const {
    std::set<EntryKey> keys;
    for (const HistoryEntry& entry : m_table->selectedEntries()) {
        keys.insert(entry.key);
    }
    return keys;
}

void HistoryPage::exportSelected() {
    const std::set<EntryKey> keys = selectedKeys();
    if (keys.empty()) {
        m_banner->showMessage(Banner::Kind::Information, tr("Select runs or sweeps in the table to export them."));
        return;
    }
    const EntryKey key = *keys.begin();
    const bool one = keys.size() == 1;
    const FileKind report{tr("Report with charts, HTML (*.html)"), QStringLiteral("html")};
    SaveQuestion question{.title = tr("Export %1").arg(one ? key.text() : entriesText(keys.size())),
                          .name = QStringLiteral("report"),
                          .kinds = {report},
                          .settings = m_context.settings,
                          .objectName = QStringLiteral("historyExportDialog")};
    if (one && key.kind == Kind::Run) {
        question.name = QStringLiteral("run_%1").arg(key.id);
        question.kinds = {{tr("Steps, CSV (*.csv)"), QStringLiteral("csv")},
                          {tr("Run with every step, JSON (*.json)"), QStringLiteral("json")},
                          {tr("Tables, Markdown (*.md)"), QStringLiteral("md")},
                          {tr("Tables, LaTeX (*.tex)"), QStringLiteral("tex")},
                          report};
    } else if (one) {
        question.name = QStringLiteral("sweep_%1").arg(key.id);
        question.kinds.clear();
        for (const SweepExport& kind : sweepExports()) {
            question.kinds.push_back({kind.filter, kind.suffix});
        }
    }
    askWhereToSave(this, question, [this, keys](const QString& file) { exportTo(keys, file); });
}

void HistoryPage::exportTo(const std::set<EntryKey>& keys, const QString& file) {
    if (keys.size() > 1 || file.endsWith(QLatin1String(".html"), Qt::CaseInsensitive)) {
        m_history.readContent(idsOf(keys, Kind::Run), idsOf(keys, Kind::Sweep), file);
    } else if (keys.begin()->kind == Kind::Sweep) {
        m_history.exportSweep(keys.begin()->id, sweepExportFor(file).text, file);
    } else {
        m_history.exportRun(keys.begin()->id, file);
    }
}

void HistoryPage::deleteSelected() {
    const std::set<EntryKey> keys = selectedKeys();
    for (const HistoryEntry& entry : m_table->selectedEntries()) {
        if (entry.status == values::RunStatus::Running) {
            m_banner->showMessage(Banner::Kind::Warning,
                                  tr("%1 is still going on: stop it before you delete it.").arg(entry.key.text()));
            return;
        }
    }
    if (keys.empty()) {
        return;
    }
    const auto remove = [this, keys] {
        m_leaving = keys;
        if (const auto runs = idsOf(keys, Kind::Run); !runs.empty()) {
            m_history.remove(runs);
        }
        if (const auto sweeps = idsOf(keys, Kind::Sweep); !sweeps.empty()) {
            m_history.removeSweeps(sweeps);
        }
        read();
    };
    m_removal.begin(tr("Deleted %1.").arg(keys.size() == 1 ? keys.begin()->text() : entriesText(keys.size())), remove,
                    [this, keys] { m_entries.restore(keys); });
    m_entries.hide(keys);
}

} // namespace halfstep::ui
