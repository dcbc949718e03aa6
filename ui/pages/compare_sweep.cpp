#include "ui/pages/compare_sweep.h"
#include "engine/values/sweep_json.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/curve_chart.h"
#include "ui/format/format.h"
#include "ui/pages/form_field.h"
#include "ui/pages/sweep_estimate.h"
#include "ui/pages/sweep_grid.h"
#include "ui/pages/sweep_panel.h"
#include "ui/pages/sweep_picker.h"
#include "ui/pages/sweep_scaling.h"
#include "ui/report/sweep_exports.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/save_dialog.h"
#include <QComboBox>
#include <QDir>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace halfstep::ui {
namespace {

constexpr auto kConfigKey = "compare/sweep";

QString cellText(const values::CellKey& key) {
    return CompareSweep::tr("%1, batch %2").arg(policyName(key.policy)).arg(key.batchSize);
}

} // namespace

CompareSweep::CompareSweep(const AppContext& context, SweepSession::SweepFunction sweep, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_times(context.settings),
      m_session(new SweepSession(context.places, this, std::move(sweep))),
      m_banner(new Banner),
      m_panel(new SweepPanel(context)),
      m_picker(new SweepPicker),
      m_views(new SweepViews(context.settings)),
      m_history(context.places.historyFile) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(m_panel);
    layout->addWidget(m_banner);
    layout->addWidget(m_picker);
    layout->addWidget(m_views, 1);

    if (m_context.settings != nullptr) {
        const std::string last = m_context.settings->value(QLatin1String(kConfigKey)).toString().toStdString();
        try {
            if (!last.empty()) {
                m_panel->form()->setConfig(values::sweepConfigFrom(nlohmann::ordered_json::parse(last)));
            }
        } catch (const std::exception&) {
            // Written by another version: the defaults stay.
        }
    }
    connect(m_panel->form(), &SweepForm::changed, this, &CompareSweep::refreshPlan);
    connect(m_panel, &SweepPanel::startRequested, this, &CompareSweep::start);
    connect(m_views->empty(), &EmptyState::actionRequested, this, &CompareSweep::start);
    connect(m_picker, &SweepPicker::continuationWanted, this, &CompareSweep::goOn);
    connect(m_picker, &SweepPicker::articleChosen, m_views, &SweepViews::showArticle);
    connect(m_picker, &SweepPicker::exportWanted, this, &CompareSweep::askAndExport);
    connect(grid(), &SweepGrid::cellChosen, this, [this](std::size_t cell) {
        if (m_shown) {
            emit whyWanted(experimentOf(m_shown->sweep.config, m_shown->sweep.cells.at(cell).key));
        }
    });
    connect(grid(), &SweepGrid::remeasureWanted, this, [this](const std::vector<std::size_t>& cells) {
        if (m_shown) {
            goOn({.sweep = m_shown->sweep.id, .moreRounds = 0, .anew = cells});
        }
    });
    connectSession();
    connectHistory();
    refreshPlan();
}

CompareSweep::~CompareSweep() = default;

void CompareSweep::connectSession() {
    connect(m_panel, &SweepPanel::pauseToggled, this, &CompareSweep::togglePause);
    connect(m_panel, &SweepPanel::stopRequested, m_session, &SweepSession::requestStop);
    connect(m_session, &SweepSession::stateChanged, this, [this](SweepSession::State state) {
        if (state == SweepSession::State::Stopping) {
            m_panel->setProgress(tr("Ending the sweep after this step…"), -1);
        } else if (state == SweepSession::State::Paused) {
            m_panel->setProgress(tr("Paused; the cell under way comes to its end first."), shareDone());
        } else if (state == SweepSession::State::Running && m_live) {
            m_panel->setProgress(tr("Going on"), shareDone());
        }
        m_panel->setState(state);
        emit activeChanged();
    });
    connect(m_session, &SweepSession::preparing, this, [this](const values::DataProgress& progress) {
        const bool known = progress.total > 0;
        const QString place = known ? QStringLiteral(" · %1 / %2").arg(progress.done).arg(progress.total) : QString();
        m_panel->setProgress(QString::fromStdString(progress.activity) + place,
                             known ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : -1);
    });
    connect(m_session, &SweepSession::noticed, this, [this](const values::Notice& notice) {
        m_banner->showMessage(Banner::Kind::Information, QString::fromStdString(notice.text));
    });
    connect(m_session, &SweepSession::changed, this, &CompareSweep::takeLive);
    connect(m_session, &SweepSession::stepped, this, &CompareSweep::takeStep);
    connect(m_session, &SweepSession::finished, this, [this](const MeasuredSweepPtr& sweep) {
        const bool following = m_following;
        remember(m_times, *sweep);
        end();
        if (following) {
            show(sweep);
        }
        if (!sweep->sweep.message.empty()) {
            m_banner->showMessage(Banner::Kind::Warning, QString::fromStdString(sweep->sweep.message));
        }
        m_history.readSweeps();
    });
    connect(m_session, &SweepSession::failed, this, [this](const RunFailure& failure) {
        end();
        m_banner->showMessage(failure.cancelled ? Banner::Kind::Information : Banner::Kind::Error, failure.sentence);
        if (FormField* field = m_panel->form()->field(failure.field)) {
            field->setProblem(failure.sentence);
        }
        m_history.readSweeps();
        if (!m_wanted && m_shown) { // it may be the one that has failed
            m_wanted = m_shown->sweep.id;
        }
        if (m_wanted) {
            m_history.readSweep(*m_wanted);
        }
    });
}

void CompareSweep::connectHistory() {
    connect(&m_history, &SweepHistory::sweepsRead, this, [this](const std::vector<SweepEntry>& sweeps) {
        m_picker->setSweeps(sweeps);
        const auto isGone = [&sweeps](std::int64_t id) {
            return std::ranges::find(sweeps, id, &SweepEntry::id) == sweeps.end();
        };
        if (m_wanted && isGone(*m_wanted)) {
            m_wanted.reset();
        }
        if (m_shown && !m_live && isGone(m_shown->sweep.id) && m_listed.contains(m_shown->sweep.id)) {
            m_shown.reset(); // deleted since the last list: its cells must not stand under another name
            m_views->setSweep(m_shown);
        }
        m_listed.clear();
        for (const SweepEntry& entry : sweeps) {
            m_listed.insert(entry.id);
        }
        if (m_following && m_live) {
            m_picker->choose(m_live->sweep.id);
        } else if (m_wanted) {
            m_picker->choose(*m_wanted);
        } else if (m_shown) {
            m_picker->choose(m_shown->sweep.id);
        } else if (!sweeps.empty() && !m_session->active()) {
            showSweep(sweeps.front().id);
        }
        refreshPicker();
    });
    connect(m_picker, &SweepPicker::sweepChosen, this, &CompareSweep::showSweep);
    connect(&m_history, &SweepHistory::sweepRead, this, [this](std::int64_t id, const MeasuredSweepPtr& sweep) {
        if (m_wanted != id || (m_following && m_live)) {
            return; // another was chosen meanwhile
        }
        if (sweep) {
            show(sweep);
        } else {
            m_wanted.reset();
            m_history.readSweeps(); // it is gone: the list says what there is
        }
    });
    connect(&m_history, &SweepHistory::written, this, [this](const QString& file) {
        m_banner->showMessage(Banner::Kind::Success, tr("Written to “%1”.").arg(QDir::toNativeSeparators(file)));
    });
    connect(&m_history, &SweepHistory::failed, this, [this](const QString& sentence) {
        m_wanted.reset();
        if (m_shown) {
            m_picker->choose(m_shown->sweep.id);
        }
        m_banner->showMessage(Banner::Kind::Error, sentence);
    });
}

void CompareSweep::setHost(SweepHost host) {
    m_host = std::move(host);
    refreshPlan();
}

values::ExperimentConfig CompareSweep::experiment() const {
    return m_host.experiment ? m_host.experiment() : values::ExperimentConfig{};
}

void CompareSweep::refreshPlan() {
    const values::ExperimentConfig base = experiment();
    QString problem = m_panel->form()->showProblems(base);
    if (problem.isEmpty() && m_host.problems) {
        const auto problems = m_host.problems();
        const auto own = std::ranges::find_if(problems, [](const values::FieldProblem& one) {
            return one.field != "batch_size" && one.field != "policy"; // those are the sweep's own
        });
        problem = own == problems.end() ? QString() : QString::fromStdString(own->sentence);
    }
    const QString busy = m_host.busy();
    m_panel->setProblem(busy.isEmpty() ? problem : busy);
    if (problem.isEmpty()) {
        const int cores = m_context.devices.empty() ? 1 : m_context.devices.front().cores;
        m_panel->setPlan(planSentence(m_panel->form()->config(base), m_times, cores));
    }
    m_views->empty()->button()->setEnabled(m_panel->startButton()->isEnabled());
    refreshPicker();
}

void CompareSweep::start() {
    refreshPlan();
    if (m_panel->startButton()->isEnabled()) {
        begin(m_panel->form()->config(experiment()));
    }
}

void CompareSweep::togglePause() {
    m_session->state() == SweepSession::State::Paused ? m_session->resume() : m_session->pause();
}

void CompareSweep::goOn(const measure::SweepContinuation& continuation) {
    const QString busy = m_host.busy();
    if (!busy.isEmpty()) {
        m_banner->showMessage(Banner::Kind::Warning, busy);
    } else {
        begin(continuation);
    }
}

void CompareSweep::begin(const SweepSession::Task& task) {
    if (m_session->active()) {
        m_banner->showMessage(Banner::Kind::Warning, tr("A sweep is being measured: wait for its end, or stop it."));
        return;
    }
    if (const auto* config = std::get_if<values::SweepConfig>(&task); config != nullptr && m_context.settings) {
        values::SweepConfig kept = *config;
        kept.base.memoryLimitBytes = m_panel->form()->ownMemoryLimit(); // that of the left is read there
        m_context.settings->setValue(QLatin1String(kConfigKey), QString::fromStdString(values::toJson(kept).dump()));
    }
    m_banner->dismiss();
    m_live.reset();
    m_following = true;
    m_panel->setProgress(tr("Opening the photographs"), -1);
    m_panel->setDrawCost({});
    m_drawCost.begin(this);
    m_session->start(task);
    refreshPicker();
}

void CompareSweep::takeLive(const MeasuredSweepPtr& sweep) {
    const DrawCost::Span span(m_drawCost);
    const bool first = !m_live;
    m_live = sweep;
    grid()->setStep(std::nullopt); // the cell has its round: the next step marks its own
    if (first) {
        m_cellRounds = std::max<std::int64_t>(sweep->cellRoundsLeft, 1);
        m_panel->setSettingsShown(false); // its cells have the room
        m_history.readSweeps();
    }
    if (m_following) {
        show(sweep);
    }
}

double CompareSweep::shareDone() const {
    return m_live ? static_cast<double>(m_cellRounds - m_live->cellRoundsLeft) / static_cast<double>(m_cellRounds)
                  : -1;
}

void CompareSweep::takeStep(const values::SweepStep& step) {
    const DrawCost::Span span(m_drawCost);
    m_panel->setDrawCost(tr("drawing cost %1 of %2 (%3)")
                             .arg(milliseconds(m_drawCost.drawingSeconds() * 1000),
                                  duration(m_drawCost.elapsedSeconds()),
                                  sharePercent(m_drawCost.drawingSeconds() / m_drawCost.elapsedSeconds())));
    if (!m_live || m_session->state() != SweepSession::State::Running) {
        return; // the panel says what it waits for
    }
    const auto done = static_cast<double>(m_cellRounds - m_live->cellRoundsLeft);
    const double share =
        (done + static_cast<double>(step.step) / static_cast<double>(step.steps)) / static_cast<double>(m_cellRounds);
    QString sentence = tr("Measurement %1 of %2: %3 · round %4, step %5 of %6")
                           .arg(std::min(m_cellRounds - m_live->cellRoundsLeft + 1, m_cellRounds))
                           .arg(m_cellRounds)
                           .arg(cellText(m_live->sweep.cells.at(step.cell).key))
                           .arg(step.round)
                           .arg(step.step)
                           .arg(step.steps);
    if (m_live->secondsLeft) {
        sentence += tr(" · %1 left").arg(aboutDuration(*m_live->secondsLeft));
    }
    m_panel->setProgress(sentence, std::min(share, 1.0));
    emit progressed(m_cellRounds - m_live->cellRoundsLeft, m_cellRounds, m_live->secondsLeft);
    if (m_following && m_views->view() == SweepViews::Grid) {
        grid()->setStep(step);
    }
}

void CompareSweep::end() {
    m_drawCost.end();
    m_live.reset();
    m_following = false;
    grid()->setStep(std::nullopt);
    refreshPlan();
}

void CompareSweep::show(const MeasuredSweepPtr& sweep) {
    m_shown = sweep;
    m_wanted.reset();
    m_views->setSweep(sweep);
    refreshPicker();
}

void CompareSweep::refreshPicker() {
    const QString busy = m_session->active() ? tr("A sweep is being measured.") : m_host.busy();
    m_picker->setShown(m_shown, m_live && m_following, busy);
    m_picker->setVisible(m_shown != nullptr || m_picker->chosen().has_value());
}

void CompareSweep::showView(SweepViews::View view) {
    m_picker->article()->setVisible(view == SweepViews::Grid);
    m_views->showView(view);
}

void CompareSweep::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refreshPlan();
    m_history.readSweeps(); // another process may have measured meanwhile
}

void CompareSweep::historyChanged() {
    if (isVisible()) {
        m_history.readSweeps();
    }
}

void CompareSweep::exportShown() {
    if (!m_shown) {
        m_banner->showMessage(Banner::Kind::Information, tr("There is nothing to export yet: start a sweep first."));
        return;
    }
    switch (m_views->view()) {
    case SweepViews::Grid:
        askAndExport();
        break;
    case SweepViews::Bars:
        bars()->askAndExport();
        break;
    case SweepViews::Scaling:
        scaling()->chart()->askAndExport();
        break;
    }
}

void CompareSweep::showSweep(std::int64_t sweep) {
    m_following = m_live && m_live->sweep.id == sweep;
    if (m_following) {
        show(m_live);
    } else {
        m_wanted = sweep; // what shows stays until it has come
        m_history.readSweep(sweep);
    }
    m_picker->choose(sweep);
}

void CompareSweep::resumeSweep(std::int64_t sweep) {
    goOn({.sweep = sweep, .moreRounds = 0, .anew = {}});
}

void CompareSweep::askAndExport() {
    if (!m_shown) {
        return;
    }
    SaveQuestion question{.title = tr("Export sweep %1").arg(m_shown->sweep.id),
                          .name = QStringLiteral("sweep_%1").arg(m_shown->sweep.id),
                          .kinds = {},
                          .settings = m_context.settings,
                          .objectName = QStringLiteral("sweepExportDialog")};
    for (const SweepExport& kind : sweepExports()) {
        question.kinds.push_back({kind.filter, kind.suffix});
    }
    askWhereToSave(this, question, [this, sweep = m_shown](const QString& file) {
        const SweepExport& kind = sweepExportFor(file);
        auto text = kind.text;
        if (kind.hasCharts) {
            text = [drawn = kind.text(sweep->sweep)](const values::Sweep&) { return drawn; };
        }
        m_history.write(sweep, text, file);
    });
}

void CompareSweep::setTheme(const Theme& theme) {
    m_panel->setTheme(theme);
    m_views->setTheme(theme);
}

} // namespace halfstep::ui
