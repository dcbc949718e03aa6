#include "ui/pages/compare_runs.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/curve_chart.h"
#include "ui/format/format.h"
#include "ui/models/run_comparison.h"
#include "ui/models/table_text.h"
#include "ui/pages/compare_curves.h"
#include "ui/pages/compare_table.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/save_dialog.h"
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
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

QString runsText(std::size_t count) {
    return count == 1 ? QStringLiteral("1 run") : QStringLiteral("%1 runs").arg(count);
}

} // namespace

CompareRuns::CompareRuns(const AppContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_banner(new Banner),
      m_undo(new Banner),
      m_stack(new QStackedWidget),
      m_empty(new EmptyState(tr("No runs yet"),
                             tr("Every run is kept here. Train with two policies, and their ms per step and their "
                                "curves stand side by side."),
                             tr("Set up an experiment"))),
      m_table(new CompareTable(&m_runs)),
      m_sentences(new QLabel),
      m_bars(
          new BarChart(tr("ms / step"), QString(), tr("ms / step"), QStringLiteral("median_ms"), context.settings)),
      m_curves(new CompareCurves(context.settings)),
      m_splitter(new QSplitter(Qt::Vertical)),
      m_removal(m_undo),
      m_history(context.places.historyFile) {
    setObjectName(QStringLiteral("compareRuns"));
    setAccessibleName(tr("Compare runs"));
    m_sentences->setObjectName(QStringLiteral("speedUp"));
    m_sentences->setProperty("role", "title");
    m_sentences->setWordWrap(true);
    m_sentences->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_bars->setAccessibleName(tr("ms per step of the checked runs"));
    m_bars->setExportName(QStringLiteral("step_ms"));
    m_bars->setEmptyText(tr("Check runs above to compare their steps."));

    auto* charts = new QHBoxLayout;
    charts->setSpacing(2 * kGrid);
    charts->addWidget(m_bars, 1); // the names of all policies fit in its legend
    charts->addWidget(m_curves, 1);
    auto* below = new QWidget;
    auto* belowLayout = new QVBoxLayout(below);
    belowLayout->setContentsMargins(0, 0, 0, 0);
    belowLayout->setSpacing(2 * kGrid);
    belowLayout->addWidget(m_sentences);
    belowLayout->addLayout(charts, 1);

    auto* above = new QWidget;
    auto* aboveLayout = new QVBoxLayout(above);
    aboveLayout->setContentsMargins(0, 0, 0, 0);
    aboveLayout->setSpacing(kGrid);
    aboveLayout->addWidget(makeTools());
    aboveLayout->addWidget(m_table, 1);

    m_splitter->addWidget(above);
    m_splitter->addWidget(below);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 3);
    m_splitter->setSizes({256, 416});
    m_splitter->setHandleWidth(kGrid);
    m_splitter->setStyleSheet(QStringLiteral("QSplitter::handle { background: transparent; }"));

    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(m_undo);
    layout->addWidget(m_banner);
    layout->addWidget(m_stack, 1);

    connect(m_empty, &EmptyState::actionRequested, this, &CompareRuns::experimentWanted);
    connect(m_table, &CompareTable::selectedRunsChanged, this, &CompareRuns::tellSelection);
    connect(m_table, &CompareTable::deletionWanted, this, &CompareRuns::deleteSelected);
    connect(&m_runs, &RunTableModel::checkedRunsChanged, this, &CompareRuns::readChecked);
    connect(&m_history, &RunHistory::runsRead, this, &CompareRuns::takeRuns);
    connect(&m_history, &RunHistory::recordsRead, this, &CompareRuns::takeRecords);
    connect(&m_history, &RunHistory::removed, this, [this] {
        m_leaving.clear();
        emit historyEdited();
    });
    connect(&m_history, &RunHistory::exported, this, [this](const QString& file) {
        m_banner->showMessage(Banner::Kind::Success, tr("Written to %1.").arg(file));
    });
    connect(&m_history, &RunHistory::failed, this, [this](const QString& sentence) {
        m_asked.clear();
        m_runs.restoreRuns(std::exchange(m_leaving, {})); // they may not have gone
        m_banner->showMessage(Banner::Kind::Error, sentence);
    });
    tellSelection();
}

CompareRuns::~CompareRuns() {
    m_removal.carryOut();
}

QWidget* CompareRuns::makeTools() {
    auto* search = new QLineEdit;
    search->setObjectName(QStringLiteral("runSearch"));
    search->setPlaceholderText(tr("Search the runs"));
    search->setAccessibleName(tr("Search the runs"));
    search->setClearButtonEnabled(true);
    search->setFixedWidth(30 * kGrid);
    search->setTextMargins(kGrid / 2, 0, kGrid / 2, 0);
    auto* differences = new QCheckBox(tr("Only differences"));
    differences->setObjectName(QStringLiteral("onlyDifferences"));
    differences->setToolTip(tr("Hide the columns in which all runs that show are equal"));
    auto* copy = new QPushButton(tr("Copy"));
    copy->setToolTip(tr("Copy the selected runs, or all that show, with their headers (Ctrl+C in the table)"));
    m_export = new QPushButton(tr("Export steps…"));
    m_export->setToolTip(tr("Write every step of the selected runs, or else of the checked ones, as CSV"));
    m_delete = new QPushButton(tr("Delete"));
    m_delete->setObjectName(QStringLiteral("deleteRuns"));

    connect(search, &QLineEdit::textChanged, m_table, &CompareTable::setFilterText);
    connect(differences, &QCheckBox::toggled, m_table, &CompareTable::setOnlyDifferences);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(shownTableText(*m_table)); });
    connect(m_export, &QPushButton::clicked, this, &CompareRuns::exportSteps);
    connect(m_delete, &QPushButton::clicked, this, &CompareRuns::deleteSelected);

    auto* tools = new QWidget;
    auto* layout = new QHBoxLayout(tools);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(search);
    layout->addSpacing(kGrid);
    layout->addWidget(differences);
    layout->addStretch();
    layout->addWidget(copy);
    layout->addWidget(m_export);
    layout->addWidget(m_delete);
    return tools;
}

void CompareRuns::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_history.readRuns(); // another process may have trained meanwhile
}

void CompareRuns::historyChanged() {
    if (isVisible()) {
        m_history.readRuns();
    }
}

void CompareRuns::takeRuns(const std::vector<store::StoredRun>& runs) {
    // A run that goes on has more steps than were read: read them again.
    std::erase_if(m_records, [&](const auto& entry) {
        const auto run = std::ranges::find(runs, entry.first, &store::StoredRun::id);
        return run == runs.end() || run->stepsDone != entry.second->run.stepsDone ||
               run->status != entry.second->run.status;
    });
    m_runs.setRuns(runs);
    m_stack->setCurrentWidget(m_runs.rowCount() == 0 && !m_removal.waits() ? static_cast<QWidget*>(m_empty)
                                                                           : m_splitter);
    readChecked();
}

void CompareRuns::readChecked() {
    for (const std::int64_t run : m_runs.checkedRuns()) {
        if (!m_records.contains(run) && m_asked.insert(run).second) {
            m_history.readRecords(run);
        }
    }
    drawChecked();
}

void CompareRuns::takeRecords(const std::shared_ptr<const RunRecords>& records) {
    m_asked.erase(records->run.id);
    m_records[records->run.id] = records;
    if (m_asked.empty()) { // draw once, not once a run
        drawChecked();
    }
}

void CompareRuns::drawChecked() {
    RunList checked;
    for (const std::int64_t run : m_runs.checkedRuns()) {
        if (const auto found = m_records.find(run); found != m_records.end()) {
            checked.push_back(found->second);
        }
    }
    const std::vector<StepTimeCell> cells = stepTimeCells(checked);
    std::vector<Bar> bars;
    for (const StepTimeCell& cell : cells) {
        bars.push_back({.group = cell.conditions,
                        .series = policyName(cell.policy),
                        .colour = colourOf(cell.policy),
                        .value = cell.milliseconds.median,
                        .low = cell.milliseconds.q25,
                        .high = cell.milliseconds.q75});
    }
    QStringList policies; // in one order, whichever are checked
    for (const precision::Policy policy : precision::kPolicies) {
        policies << policyName(policy);
    }
    m_bars->setBars(std::move(bars), policies);
    tell(speedUpSentences(cells), accuracySentences(checked));
    std::ranges::reverse(checked); // in the order in which they were made
    m_curves->setRuns(std::move(checked));
    tellSelection();
}

void CompareRuns::tell(const QStringList& times, const QStringList& accuracies) {
    constexpr qsizetype most = 2; // of each; the bars and curves say the rest
    m_sentences->setToolTip((times + accuracies).join(QLatin1Char('\n')));
    const QStringList shown = times.mid(0, most) + accuracies.mid(0, most);
    m_sentences->setText(shown.join(QLatin1Char('\n')));
    m_sentences->setVisible(!shown.isEmpty());
}

void CompareRuns::tellSelection() {
    const bool any = !m_table->selectedRuns().empty();
    m_delete->setEnabled(any);
    m_delete->setToolTip(
        any ? tr("Delete the selected runs (Del); it can be undone for %1 s").arg(UndoableRemoval::kTime / 1000)
            : tr("Select runs in the table to delete them"));
    m_export->setEnabled(any || !m_runs.checkedRuns().empty());
}

void CompareRuns::deleteSelected() {
    const std::vector<std::int64_t> selected = m_table->selectedRuns();
    for (const store::StoredRun& run : m_runs.runs()) {
        if (run.status == values::RunStatus::Running && std::ranges::find(selected, run.id) != selected.end()) {
            m_banner->showMessage(Banner::Kind::Warning,
                                  tr("Run %1 is still running: stop it before you delete it.").arg(run.id));
            return;
        }
    }
    if (selected.empty()) {
        return;
    }
    const std::set<std::int64_t> runs{selected.begin(), selected.end()};
    const auto remove = [this, runs] {
        m_leaving = runs;
        m_history.remove({runs.begin(), runs.end()});
        m_history.readRuns();
    };
    m_removal.begin(tr("Deleted %1.").arg(runsText(selected.size())), remove,
                    [this, runs] { m_runs.restoreRuns(runs); });
    m_runs.hideRuns(runs);
}

void CompareRuns::exportSteps() {
    std::vector<std::int64_t> runs = m_table->selectedRuns();
    if (runs.empty()) {
        runs = m_runs.checkedRuns();
    }
    askWhereToSave(
        this,
        {.title = tr("Export the steps of %1").arg(runsText(runs.size())),
         .name = runs.size() == 1 ? QStringLiteral("run_%1_steps").arg(runs.front()) : QStringLiteral("runs_steps"),
         .kinds = {{tr("Steps, CSV (*.csv)"), QStringLiteral("csv")}},
         .settings = m_context.settings},
        [this, runs](const QString& file) { m_history.exportSteps(runs, file); });
}

void CompareRuns::exportShown() {
    if (m_bars->isEmpty() && m_curves->chart()->isEmpty()) {
        m_banner->showMessage(Banner::Kind::Information,
                              tr("There is nothing to export yet: check some runs first."));
        return;
    }
    ChartPanel* chart = m_curves->chart();
    if (!chart->isAncestorOf(focusWidget()) && !m_bars->isEmpty()) {
        chart = m_bars;
    }
    chart->askAndExport();
}

void CompareRuns::setTheme(const Theme& theme) {
    m_bars->setTheme(theme);
    m_curves->setTheme(theme);
}

} // namespace halfstep::ui
