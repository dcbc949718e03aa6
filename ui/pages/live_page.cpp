#include "ui/pages/live_page.h"
#include "ui/bridge/training_session.h"
#include "ui/charts/curve_chart.h"
#include "ui/format/format.h"
#include "ui/models/recorded_run.h"
#include "ui/pages/live_cards.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/guess_grid.h"
#include <QApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QStackedWidget>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace halfstep::ui {

namespace {

// Curves of the loss and accuracy charts.
constexpr std::size_t kEachStep = 0, kSmoothed = 1, kValidation = 2, kSkipped = 3;
const QColor kSkippedColour("#D64545"); ///< stands out from cards of both themes
constexpr std::size_t kGuesses = 10;    ///< photographs that are shown
constexpr qsizetype kNotices = 20;      ///< in the tooltip, the last ones

QString endingSentence(const train::RunOutcome& outcome) {
    const values::RunSummary& summary = outcome.summary;
    const QString run = LivePage::tr("Run %1").arg(summary.run);
    QStringList figures;
    if (!summary.epochsLog.empty()) {
        const values::EpochRecord& last = summary.epochsLog.back();
        figures << LivePage::tr("accuracy %1").arg(fixed(last.accuracy, 3));
        if (last.valAccuracy) {
            figures << LivePage::tr("validation accuracy %1").arg(fixed(*last.valAccuracy, 3));
        }
    }
    if (summary.medianStepMilliseconds) {
        figures << LivePage::tr("%1 / step").arg(milliseconds(*summary.medianStepMilliseconds));
    }
    const QString after = figures.isEmpty() ? QString() : QStringLiteral(": ") + figures.join(QStringLiteral(", "));
    switch (summary.status) {
    case values::RunStatus::Finished:
        return LivePage::tr("%1 is finished%2.").arg(run, after);
    case values::RunStatus::Stopped:
        return LivePage::tr("%1 was stopped after %2 steps%3. It is kept in the history.")
            .arg(run, count(summary.steps), after);
    case values::RunStatus::Diverged:
        return LivePage::tr("%1 diverged after %2 steps. %3")
            .arg(run, count(summary.steps), QString::fromStdString(summary.message));
    case values::RunStatus::Interrupted:
        return LivePage::tr("%1 was interrupted after %2 steps%3: its program ended before it did.")
            .arg(run, count(summary.steps), after);
    case values::RunStatus::Running:
        return LivePage::tr("%1 is training in another program; these are its first %2 steps%3.")
            .arg(run, count(summary.steps), after);
    case values::RunStatus::Failed:
        break;
    }
    return LivePage::tr("%1 failed after %2 steps. %3")
        .arg(run, count(summary.steps), QString::fromStdString(summary.message));
}

} // namespace

LivePage::LivePage(const AppContext& context, QWidget* parent, DatasetOpener::OpenFunction open)
    : Page(parent),
      m_context(context),
      m_theme(themeFor(ThemeKind::Light)),
      m_opener(context.places.cacheFolder, nullptr, std::move(open)),
      m_banner(new Banner),
      m_stack(new QStackedWidget),
      m_empty(new EmptyState(tr("No run yet"),
                             tr("Press Start at the left: the sample is chosen already, and the loss appears here "
                                "within seconds."),
                             tr("Go to Start"))),
      m_header(new QLabel),
      m_activity(new QLabel),
      m_notice(new ElidedLabel(Qt::ElideRight)),
      m_cards(new LiveCards),
      m_loss(new CurveChart(tr("Loss"), {.title = tr("step"), .column = "step", .minimum = 0, .integers = true},
                            {.title = tr("loss"), .column = "loss", .minimum = 0}, context.settings)),
      m_accuracy(new CurveChart(
          tr("Accuracy"), {.title = tr("step"), .column = "step", .minimum = 0, .integers = true},
          {.title = tr("accuracy"), .column = "accuracy", .minimum = 0, .maximum = 1}, context.settings)),
      m_time(new CurveChart(tr("ms / step"), {.title = tr("step"), .column = "step", .minimum = 0, .integers = true},
                            {.title = tr("ms"), .column = "step_ms", .minimum = 0}, context.settings)),
      m_guessCard(new Card(tr("Validation photographs"))),
      m_guesses(new GuessGrid),
      m_guessHint(new QLabel),
      m_history(context.places.historyFile) {
    setAccessibleName(tr("Live"));
    connect(&m_history, &RunHistory::recordsRead, this, [this](const auto& records) { takeRecords(*records); });
    connect(&m_history, &RunHistory::failed, this,
            [this](const QString& sentence) { m_banner->showMessage(Banner::Kind::Error, sentence); });
    connect(m_empty, &EmptyState::actionRequested, this, &Page::experimentWanted);
    connect(&m_opener, &DatasetOpener::opened, this, [this](const auto& dataset) {
        m_dataset = dataset;
        showGuesses();
    });

    m_loss->offerLogarithm(QStringLiteral("loss"));
    m_header->setProperty("role", "heading");
    m_header->setTextFormat(Qt::PlainText);
    m_header->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // long names are no reason to grow
    m_activity->setProperty("role", "caption");
    m_notice->setProperty("role", "warning");
    m_notice->setMinimumHeight(m_notice->fontMetrics().height()); // the line is kept free while there is none
    m_notice->setAccessibleName(tr("Last remark on the run"));
    m_guessHint->setProperty("role", "caption");
    m_guessHint->setAlignment(Qt::AlignCenter);
    m_guessCard->content()->addWidget(m_guesses, 1);
    m_guessCard->content()->addWidget(m_guessHint, 1);
    m_guesses->hide();

    auto* running = new QWidget;
    auto* top = new QHBoxLayout;
    top->setSpacing(2 * kGrid);
    top->addWidget(m_header, 1);
    top->addWidget(m_activity);
    auto* charts = new QGridLayout;
    charts->setSpacing(kGrid);
    charts->addWidget(m_loss, 0, 0);
    charts->addWidget(m_accuracy, 0, 1);
    charts->addWidget(m_time, 1, 0);
    charts->addWidget(m_guessCard, 1, 1);
    for (const int i : {0, 1}) {
        charts->setColumnStretch(i, 1);
        charts->setRowStretch(i, 1);
        charts->setColumnMinimumWidth(i, 30 * kGrid);
    }
    auto* layout = new QVBoxLayout(running);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addLayout(top);
    layout->addWidget(m_notice);
    layout->addWidget(m_cards);
    layout->addLayout(charts, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(running);
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    page->setSpacing(kGrid);
    page->addWidget(m_banner);
    page->addWidget(m_stack, 1);
}

LivePage::~LivePage() = default;

std::vector<ChartPanel*> LivePage::charts() const {
    return {m_loss, m_accuracy, m_time};
}

void LivePage::setTheme(const Theme& theme) {
    m_theme = theme;
    for (ChartPanel* chart : charts()) {
        chart->setTheme(theme);
    }
    m_guesses->setColours(theme.success, theme.danger);
}

void LivePage::exportShown() {
    for (ChartPanel* chart : charts()) {
        if (chart->isAncestorOf(QApplication::focusWidget())) {
            chart->askAndExport();
            return;
        }
    }
    if (!m_run) {
        m_banner->showMessage(Banner::Kind::Information, tr("There is nothing to export yet: start a run first."));
        return;
    }
    m_loss->askAndExport();
}

void LivePage::begin(const values::ExperimentConfig& config) {
    m_run.emplace(config);
    m_earlierWanted = false;
    m_opening.reset();
    m_opened = false;
    m_dataset.reset();
    m_banner->dismiss();
    m_notices.clear();
    m_notice->clear();
    m_guesses->setTiles({});
    m_guesses->hide();
    m_guessHint->setText(tr("After the first epoch: what the network takes them for"));
    m_guessHint->show();
    setUpCharts();
    m_cards->showRun(*m_run);
    updateHeader();
    m_stack->setCurrentIndex(1);
}

void LivePage::goOn(const values::ExperimentConfig& config) {
    begin(config);
    m_earlierWanted = true;
}

void LivePage::open(std::int64_t run) {
    m_opening = run;
    m_history.readRecords(run);
}

void LivePage::takeRecords(const RunRecords& records) {
    if (m_opening == records.run.id) {
        begin(records.run.config);
        m_opened = true;
        m_guessHint->setText(tr("What the network took photographs for is not kept with a run."));
        apply(eventsOf(records));
        finish(outcomeOf(records));
    } else if (m_run && m_run->plan() && m_run->plan()->run == records.run.id && !m_run->summary()) {
        // Put before what has come meanwhile: every step is recorded before it is reported.
        const LiveRun now = *m_run;
        m_run.emplace(now.config());
        setUpCharts();
        std::vector<values::RunEvent> events = eventsOf(records);
        events.front() = *now.plan();
        const auto add = [&](const auto& later) { events.insert(events.end(), later.begin(), later.end()); };
        add(now.steps());
        add(now.epochs());
        apply(events);
    }
}

bool LivePage::isKnown(const values::RunEvent& event) const {
    if (const auto* step = std::get_if<values::StepRecord>(&event)) {
        return !m_run->steps().empty() && step->step <= m_run->steps().back().step;
    }
    const auto* epoch = std::get_if<values::EpochRecord>(&event);
    return epoch != nullptr && !m_run->epochs().empty() && epoch->epoch <= m_run->epochs().back().epoch;
}

void LivePage::setUpCharts() {
    const precision::Policy policy = m_run->config().policy;
    const QColor colour = colourOf(policy);
    const auto looks = [&](const char* name) {
        const QString column = QLatin1String(name);
        return std::vector<CurveLook>{
            {.name = tr("each step"), .column = column, .colour = colour, .style = CurveStyle::Thin},
            {.name = tr("smoothed"),
             .column = column + QStringLiteral("_smoothed"),
             .colour = colour,
             .derived = true},
            {.name = tr("validation"),
             .column = QStringLiteral("val_") + column,
             .colour = colour,
             .style = CurveStyle::Points,
             .marker = markerOf(policy)}};
    };
    std::vector<CurveLook> loss = looks("loss");
    if (values::lossScalerOptions(m_run->config())) {
        loss.push_back({.name = tr("skipped step"),
                        .column = QStringLiteral("skipped_loss"),
                        .colour = kSkippedColour,
                        .style = CurveStyle::Points,
                        .marker = Marker::Cross,
                        .derived = true});
    }
    m_loss->setCurves(loss);
    m_accuracy->setCurves(looks("accuracy"));
    m_time->setCurves({{.name = tr("each step"), .column = QStringLiteral("step_ms"), .colour = colour}});
    for (CurveChart* chart : {m_loss, m_accuracy, m_time}) {
        chart->setEmptyText(tr("Waiting for the first step"));
        chart->refresh();
    }
}

void LivePage::apply(const std::vector<values::RunEvent>& batch) {
    if (!m_run) {
        return;
    }
    for (const values::RunEvent& event : batch) {
        if (isKnown(event)) {
            continue;
        }
        m_run->apply(event);
        addToCharts(event);
        if (std::holds_alternative<values::RunPlan>(event)) {
            m_time->setShadedUntil(static_cast<double>(m_run->warmUpSteps()), tr("warm-up"));
            if (!m_opened) { // of a run from the history there are no guesses to show
                m_opener.open(QString::fromStdString(m_run->config().data), m_run->config().imageSize);
            }
            if (std::exchange(m_earlierWanted, false)) {
                m_history.readRecords(m_run->plan()->run);
            }
        } else if (const auto* notice = std::get_if<values::Notice>(&event)) {
            m_notices << QString::fromStdString(notice->text);
            remark(notice->severity == values::Severity::Warning ? "warning" : "caption", m_notices.back());
            m_notice->setToolTip(m_notices.mid(std::max<qsizetype>(m_notices.size() - kNotices, 0)).join('\n'));
        } else if (std::holds_alternative<values::EpochRecord>(event)) {
            showGuesses();
        }
    }
    for (CurveChart* chart : {m_loss, m_accuracy, m_time}) {
        chart->refresh();
    }
    m_cards->showRun(*m_run);
    updateHeader();
}

void LivePage::remark(const char* role, const QString& sentence) {
    if (m_notice->property("role") != QLatin1String(role)) {
        m_notice->setProperty("role", role);
        m_notice->style()->unpolish(m_notice);
        m_notice->style()->polish(m_notice);
    }
    m_notice->setFullText(sentence);
}

QString LivePage::lastRemark() const {
    return m_notice->text();
}

void LivePage::addToCharts(const values::RunEvent& event) {
    if (const auto* step = std::get_if<values::StepRecord>(&event)) {
        const auto x = static_cast<double>(step->step);
        m_loss->addPoint(kEachStep, {x, step->loss});
        m_loss->addPoint(kSmoothed, {x, m_run->smoothedLoss().back()});
        m_accuracy->addPoint(kEachStep, {x, step->accuracy});
        m_accuracy->addPoint(kSmoothed, {x, m_run->smoothedAccuracy().back()});
        m_time->addPoint(0, {x, step->stepMilliseconds});
        if (step->skipped && m_loss->curveCount() > kSkipped) {
            m_loss->addPoint(kSkipped, {x, placeOfSkip(*step)});
        }
    } else if (const auto* epoch = std::get_if<values::EpochRecord>(&event)) {
        const auto x = static_cast<double>(m_run->steps().empty() ? 0 : m_run->steps().back().step);
        if (epoch->valLoss) {
            m_loss->addPoint(kValidation, {x, *epoch->valLoss});
        }
        if (epoch->valAccuracy) {
            m_accuracy->addPoint(kValidation, {x, *epoch->valAccuracy});
        }
    }
}

/// On the curve: at the step's loss or, where that is not finite, at the last smoothed one that is.
double LivePage::placeOfSkip(const values::StepRecord& step) const {
    if (std::isfinite(step.loss)) {
        return step.loss;
    }
    const std::vector<double>& smoothed = m_run->smoothedLoss();
    const auto last =
        std::find_if(smoothed.rbegin(), smoothed.rend(), [](double loss) { return std::isfinite(loss); });
    return last == smoothed.rend() ? 0 : *last;
}

void LivePage::updateHeader() {
    const values::ExperimentConfig& config = m_run->config();
    const auto& plan = m_run->plan();
    QStringList parts{m_opened ? tr("History") : tr("Live")};
    if (plan) {
        parts << tr("run %1").arg(plan->run);
    }
    if (!config.name.empty()) {
        parts << QString::fromStdString(config.name);
    }
    parts << policyName(config.policy) << tr("batch %1").arg(config.batchSize);
    if (plan) {
        parts << QString::fromStdString(plan->deviceText);
    }
    m_header->setText(parts.join(QStringLiteral(" · ")));
    m_activity->setText(config.data == "sample" ? tr("drawn sample, %1 × %1 pixels").arg(config.imageSize)
                                                : tr("%1 × %1 pixels").arg(config.imageSize));
}

void LivePage::finish(const train::RunOutcome& outcome) {
    if (m_run) {
        m_run->end(outcome.summary);
        const QString sentence = endingSentence(outcome);
        const values::RunStatus status = outcome.summary.status;
        if (status == values::RunStatus::Finished || status == values::RunStatus::Stopped) {
            remark("success", sentence);
        } else {
            m_banner->showMessage(status == values::RunStatus::Diverged ? Banner::Kind::Warning : Banner::Kind::Error,
                                  sentence);
        }
    }
}

void LivePage::fail(const RunFailure& failure) {
    m_banner->showMessage(failure.cancelled ? Banner::Kind::Information : Banner::Kind::Error, failure.sentence);
    if (m_run && !m_run->plan()) {
        m_run.reset(); // there never was a run
        m_stack->setCurrentIndex(0);
    }
}

void LivePage::showGuesses() {
    if (!m_run || !m_dataset || m_run->epochs().empty() || m_run->epochs().back().guesses.empty()) {
        return;
    }
    const int side = m_dataset->info().imageSize;
    const auto& classes = m_dataset->info().classes;
    const auto nameOf = [&](int label) {
        const auto index = static_cast<std::size_t>(label);
        return index < classes.size() ? QString::fromStdString(classes[index].name) : QString::number(label);
    };
    const auto photographs = static_cast<std::int64_t>(m_dataset->photographs(data::Split::Validation).size());
    std::vector<GuessTile> tiles;
    for (const values::Guess& guess : m_run->epochs().back().guesses) {
        if (tiles.size() == kGuesses || guess.photograph >= photographs) {
            break;
        }
        const auto pixels = m_dataset->pixels(data::Split::Validation, guess.photograph);
        const QImage image(pixels.data(), side, side, 3 * side, QImage::Format_RGB888);
        tiles.push_back({image.copy(), nameOf(guess.truth), nameOf(guess.predicted), guess.probability,
                         guess.truth == guess.predicted});
    }
    m_guesses->setTiles(std::move(tiles));
    m_guesses->show();
    m_guessHint->hide();
}

} // namespace halfstep::ui
