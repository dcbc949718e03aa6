#include "ui/main_window.h"
#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include "ui/bridge/kept_checkpoints.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/compare_runs.h"
#include "ui/pages/compare_sweep.h"
#include "ui/pages/data_page.h"
#include "ui/pages/experiment_form.h"
#include "ui/pages/history_page.h"
#include "ui/pages/live_page.h"
#include "ui/pages/numerics_page.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/source_picker.h"
#include "ui/pages/status_strip.h"
#include "ui/pages/why_page.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/top_bar.h"
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QHBoxLayout>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QShortcut>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

namespace halfstep::ui {

namespace {

constexpr auto kGeometryKey = "window/geometry";
constexpr auto kPageKey = "window/page";
constexpr auto kThemeKey = "window/theme";
constexpr auto kExperimentKey = "experiment/last";
constexpr auto kCheckpointsKey = "experiment/keepCheckpoints";
constexpr int kLivePage = 1, kComparePage = 2, kWhyPage = 3;

QString sourceIn(const QMimeData* data) {
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile() && looksLikeSource(url.toLocalFile())) {
            return url.toLocalFile();
        }
    }
    return {};
}

} // namespace

MainWindow::MainWindow(const AppContext& context, TrainingSession::RunFunction run, DatasetOpener::OpenFunction open,
                       SweepSession::SweepFunction sweep)
    : m_context(context),
      m_theme(themeFor(ThemeKind::Light)),
      m_session(new TrainingSession(context.places, this, std::move(run))),
      m_top(new TopBar),
      m_stack(new QStackedWidget),
      m_banner(new Banner),
      m_form(new ExperimentForm(context)),
      m_live(new LivePage(context, nullptr, open)),
      m_compare(new ComparePage(context, nullptr, std::move(sweep))),
      m_why(new WhyPage(context)),
      m_numerics(new NumericsPage(context)),
      m_history(new HistoryPage(context)),
      m_status(new StatusStrip(context.devices.empty() ? 1 : context.devices.front().cores,
                               context.devices.empty() ? 0 : context.devices.front().memoryBytes)) {
    setWindowTitle(QStringLiteral("Halfstep"));
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    addPage(tr("Data"), new DataPage(context, nullptr, open));
    addPage(tr("Live"), m_live);
    addPage(tr("Compare"), m_compare);
    addPage(tr("Why"), m_why);
    addPage(tr("Numerics"), m_numerics);
    addPage(tr("History"), m_history);

    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_banner);
    right->addWidget(m_stack, 1);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(m_form);
    middle->addLayout(right, 1);
    auto* central = new QWidget;
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_top);
    layout->addLayout(middle, 1);
    layout->addWidget(m_status);
    setCentralWidget(central);
    setMinimumSize(1184, 704);
    resize(1280, 800);

    connect(m_top, &TopBar::pageChosen, this, &MainWindow::showPage);
    connect(m_top, &TopBar::themeToggled, this, &MainWindow::toggleTheme);
    connect(m_top, &TopBar::helpWanted, this, &MainWindow::showShortcuts);
    connectSession();
    connectSweep();
    addShortcuts();
    connect(m_form, &ExperimentForm::dataSourceChanged, this, [this](const QString& source, int imageSize) {
        for (Page* page : m_pages) {
            page->setDataSource(source, imageSize);
        }
    });
    connect(m_form, &ExperimentForm::policyChanged, m_numerics, &NumericsPage::setPolicy);
    restore();
    m_numerics->setPolicy(m_form->config().policy);
    m_form->focusStart();
    for (Page* page : m_pages) {
        page->setDataSource(m_form->dataSource(), m_form->config().imageSize);
    }
}

MainWindow::~MainWindow() = default;

void MainWindow::addPage(const QString& name, Page* page) {
    m_pages.push_back(page);
    m_stack->addWidget(page);
    m_top->addPage(name);
    connect(page, &Page::dataSourceChosen, m_form, &ExperimentForm::setDataSource);
    connect(page, &Page::dataCounted, m_form, &ExperimentForm::setCounts);
    connect(page, &Page::experimentWanted, m_form, &ExperimentForm::focusStart);
    connect(page, &Page::historyEdited, this, &MainWindow::historyChanged);
}

void MainWindow::connectSession() {
    connect(m_form, &ExperimentForm::startRequested, this, &MainWindow::start);
    connect(m_form->controls(), &RunControls::pauseToggled, this, &MainWindow::togglePause);
    connect(m_form->controls(), &RunControls::stopRequested, m_session, &TrainingSession::requestStop);
    connect(m_session, &TrainingSession::stateChanged, this, [this](TrainingSession::State state) {
        m_form->setState(state);
        m_why->setTraining(state != TrainingSession::State::Idle);
        tellHistory();
        m_compare->sweep()->refreshPlan();
        showState();
    });
    connect(m_why, &WhyPage::profileWanted, this, &MainWindow::profile);
    connect(m_history, &HistoryPage::openRunWanted, this, [this](std::int64_t run) {
        m_live->open(run);
        showPage(kLivePage);
    });
    connect(m_history, &HistoryPage::compareWanted, this, [this](const std::vector<std::int64_t>& runs) {
        m_compare->showRuns(runs);
        showPage(kComparePage);
    });
    connect(m_history, &HistoryPage::openSweepWanted, this, [this](std::int64_t sweep) {
        showPage(kComparePage);
        m_compare->showSweep(sweep);
    });
    connect(m_history, &HistoryPage::resumeSweepWanted, this, [this](std::int64_t sweep) {
        settleDeletions();
        showPage(kComparePage);
        m_compare->resumeSweep(sweep);
    });
    connect(m_history, &HistoryPage::resumeRunWanted, this, &MainWindow::goOn);
    connect(m_session, &TrainingSession::events, this, [this](const std::vector<values::RunEvent>& batch) {
        m_live->apply(batch);
        m_numerics->apply(batch);
        showState();
        for (const values::RunEvent& event : batch) {
            if (std::holds_alternative<values::RunPlan>(event)) {
                historyChanged(); // the run is in it from now on
            }
        }
    });
    connect(m_session, &TrainingSession::finished, this, [this](const train::RunOutcome& outcome) {
        m_live->finish(outcome);
        if (outcome.summary.medianStepMilliseconds) {
            m_form->rememberTimes(m_session->config(), *outcome.summary.medianStepMilliseconds,
                                  outcome.summary.peakBytes);
        }
        runEnded();
    });
    connect(m_session, &TrainingSession::failed, this, [this](const RunFailure& failure) {
        m_live->fail(failure);
        if (m_form->field(failure.field) != nullptr) {
            m_form->showProblem(failure.field, failure.sentence);
        }
        runEnded();
    });
}

void MainWindow::connectSweep() {
    m_compare->sweep()->setHost(
        {.experiment = [this] { return m_form->config(); },
         .problems = [this] { return m_form->problems(); },
         .busy =
             [this] {
                 return m_session->active() ? tr("A run is training: start the sweep when it has ended.")
                        : m_why->session()->active()
                            ? tr("A profile is being made: start the sweep when it has ended.")
                            : QString();
             }});
    connect(m_compare, &ComparePage::whyWanted, this, [this](const values::ExperimentConfig& config) {
        showPage(kWhyPage);
        m_why->profile(config);
        measuringChanged();
    });
    connect(m_form, &ExperimentForm::settingsChanged, m_compare->sweep(), &CompareSweep::refreshPlan);
    connect(m_compare->sweep(), &CompareSweep::activeChanged, this, [this] {
        if (!sweepSession()->active()) {
            m_sweepProgress = {};
            historyChanged(); // it has ended
        }
        measuringChanged();
        showState();
    });
    connect(m_compare->sweep(), &CompareSweep::progressed, this,
            [this](qint64 done, qint64 total, const std::optional<double>& left) {
                if (m_sweepProgress.total == 0) {
                    historyChanged(); // it is in it from now on
                }
                m_sweepProgress = {done, total, left};
                showState();
            });
    connect(m_why->session(), &ProfileSession::progress, this, &MainWindow::measuringChanged);
    connect(m_why->session(), &ProfileSession::finished, this, &MainWindow::measuringChanged);
    connect(m_why->session(), &ProfileSession::failed, this, &MainWindow::measuringChanged);
}

/// Of the sweep or the run, whichever goes on.
void MainWindow::showState() {
    if (sweepSession()->active()) {
        m_status->showSweep(sweepSession()->state(), m_sweepProgress.done, m_sweepProgress.total,
                            m_sweepProgress.secondsLeft);
    } else {
        m_status->showRun(m_session->state(), m_live->run());
    }
}

SweepSession* MainWindow::sweepSession() const {
    return m_compare->sweep()->session();
}

void MainWindow::measuringChanged() {
    const bool sweeping = sweepSession()->active();
    m_form->setBusyElsewhere(sweeping ? tr("A sweep is being measured: start a run when it has ended.") : QString());
    m_why->setSweeping(sweeping);
    tellHistory();
    m_compare->sweep()->refreshPlan();
    if (!sweeping) {
        closeIfAsked();
    }
}

/// What is gone on with must not be deleted under way: deletions that could still be undone are carried out before.
void MainWindow::settleDeletions() {
    m_history->carryOutDeletion();
    m_compare->runs()->carryOutDeletion();
}

void MainWindow::tellHistory() {
    m_history->setBusy(m_session->active() ? tr("A run is training on the page Live: wait for its end, or stop it.")
                       : sweepSession()->active()
                           ? tr("A sweep is being measured on the page Compare: wait for its end, or stop it.")
                           : QString());
}

void MainWindow::start(const values::ExperimentConfig& config) {
    if (sweepSession()->active()) {
        return; // the form says why
    }
    remember();
    m_live->begin(config);
    m_numerics->begin(config);
    showPage(kLivePage);
    values::ExperimentConfig kept = config;
    if (m_form->keepsCheckpoints()) {
        kept.checkpoint = newCheckpointFolder(m_context.places.historyFile, config.policy);
    }
    m_session->start(kept);
}

void MainWindow::goOn(const store::StoredRun& run) {
    if (m_session->active() || sweepSession()->active()) {
        return; // the page says why
    }
    settleDeletions();
    m_live->goOn(run.config);
    m_numerics->begin(run.config);
    showPage(kLivePage);
    m_session->goOn(run.id, run.config);
}

void MainWindow::profile() {
    const std::vector<values::FieldProblem> problems = m_form->problems();
    if (problems.empty()) {
        m_why->profile(m_form->config());
    } else {
        m_why->refuse(QString::fromStdString(problems.front().sentence));
    }
}

void MainWindow::togglePause() {
    if (sweepSession()->active()) {
        m_compare->sweep()->togglePause();
        return;
    }
    m_session->state() == TrainingSession::State::Paused ? m_session->resume() : m_session->pause();
}

void MainWindow::runEnded() {
    m_numerics->end();
    showState();
    historyChanged();
    closeIfAsked();
}

void MainWindow::closeIfAsked() {
    if (m_closing) {
        // Not from inside the session's own signal: closing may end the program.
        QMetaObject::invokeMethod(this, &MainWindow::close, Qt::QueuedConnection);
    }
}

void MainWindow::historyChanged() {
    for (Page* page : m_pages) {
        page->historyChanged();
    }
}

void MainWindow::showPage(int page) {
    if (page < 0 || page >= m_stack->count()) {
        return;
    }
    m_top->setPage(page);
    m_stack->setCurrentIndex(page);
}

void MainWindow::toggleTheme() {
    setTheme(m_theme.kind == ThemeKind::Dark ? ThemeKind::Light : ThemeKind::Dark);
    m_context.settings->setValue(kThemeKey, m_theme.kind == ThemeKind::Dark ? "dark" : "light");
}

void MainWindow::setTheme(ThemeKind kind) {
    m_theme = themeFor(kind);
    qApp->setPalette(paletteFor(m_theme));
    qApp->setStyleSheet(styleSheetFor(m_theme));
    m_top->setTheme(m_theme);
    m_form->setTheme(m_theme);
    m_status->setTheme(m_theme);
    showState();
    for (Page* page : m_pages) {
        page->setTheme(m_theme);
    }
}

void MainWindow::addShortcut(const QString& keys, const QString& what, const std::function<void()>& action) {
    auto* shortcut = new QShortcut(QKeySequence(keys), this);
    connect(shortcut, &QShortcut::activated, this, action);
    m_shortcuts.push_back({keys, what});
}

void MainWindow::addShortcuts() {
    for (int page = 0; page < m_top->pages(); ++page) {
        addShortcut(QStringLiteral("Ctrl+%1").arg(page + 1), tr("Page “%1”").arg(m_top->pageName(page)),
                    [this, page] { showPage(page); });
    }
    addShortcut(QStringLiteral("Ctrl+Return"), tr("Start the experiment"), [this] { m_form->requestStart(); });
    addShortcut(QStringLiteral("Ctrl+P"), tr("Pause the run or the sweep, or go on"), [this] { togglePause(); });
    addShortcut(QStringLiteral("Ctrl+."), tr("Stop the run or the sweep after its current step"), [this] {
        m_session->requestStop();
        sweepSession()->requestStop();
    });
    addShortcut(QStringLiteral("Ctrl+E"), tr("Export what the page shows"),
                [this] { m_pages[static_cast<std::size_t>(m_stack->currentIndex())]->exportShown(); });
    addShortcut(QStringLiteral("Ctrl+O"), tr("Open a folder of photographs"),
                [this] { m_form->sourcePicker()->pickFolder(); });
    addShortcut(QStringLiteral("Ctrl+Shift+O"), tr("Open an archive of photographs"),
                [this] { m_form->sourcePicker()->pickArchive(); });
    addShortcut(QStringLiteral("Ctrl+T"), tr("Light or dark"), [this] { m_top->toggleTheme(); });
    addShortcut(QStringLiteral("F1"), tr("This list (also ?)"), [this] { showShortcuts(); });
    auto* question = new QShortcut(QKeySequence(QStringLiteral("?")), this);
    connect(question, &QShortcut::activated, this, &MainWindow::showShortcuts);
    addShortcut(QStringLiteral("Ctrl+Q"), tr("Close the window; a run ends after its current step and is kept"),
                [this] { close(); });
    m_shortcuts.push_back({tr("In a chart"), tr("← → read points, + − zoom, 0 shows everything")});
}

void MainWindow::showShortcuts() {
    auto* list = new ShortcutList(m_shortcuts, this);
    list->setAttribute(Qt::WA_DeleteOnClose);
    list->show();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_session->active() || sweepSession()->active()) {
        m_closing = true;
        m_session->requestStop();
        sweepSession()->requestStop();
        m_banner->showMessage(
            Banner::Kind::Information,
            m_session->active()
                ? tr("Ending the run after this step… The window closes by itself, and the run is kept.")
                : tr("Ending the sweep after this step… The window closes by itself, and what was "
                     "measured is kept."));
        event->ignore();
        return;
    }
    remember();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!sourceIn(event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString source = sourceIn(event->mimeData());
    if (!source.isEmpty()) {
        m_form->setDataSource(source);
        showPage(0);
        event->acceptProposedAction();
    }
}

void MainWindow::restore() {
    const QString wanted = qEnvironmentVariable("HALFSTEP_THEME", m_context.settings->value(kThemeKey).toString());
    setTheme(wanted == QLatin1String("dark") ? ThemeKind::Dark : ThemeKind::Light);
    restoreGeometry(m_context.settings->value(kGeometryKey).toByteArray());
    showPage(m_context.settings->value(kPageKey, 0).toInt());
    m_form->setKeepsCheckpoints(m_context.settings->value(kCheckpointsKey, true).toBool());
    const std::string last = m_context.settings->value(kExperimentKey).toString().toStdString();
    if (!last.empty()) {
        try {
            m_form->setConfig(values::experimentConfigFrom(nlohmann::ordered_json::parse(last)));
        } catch (const std::exception&) {
            // Written by another version: the defaults stay.
        }
    }
}

void MainWindow::remember() {
    m_context.settings->setValue(kGeometryKey, saveGeometry());
    m_context.settings->setValue(kPageKey, m_stack->currentIndex());
    m_context.settings->setValue(kCheckpointsKey, m_form->keepsCheckpoints());
    m_context.settings->setValue(kExperimentKey, QString::fromStdString(values::toJson(m_form->config()).dump()));
}

} // namespace halfstep::ui
