#pragma once
#include "ui/bridge/dataset_opener.h"
#include "ui/bridge/run_history.h"
#include "ui/pages/live_run.h"
#include "ui/pages/page.h"
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QStackedWidget;

namespace halfstep::train {
struct RunOutcome;
}

namespace halfstep::ui {

class Banner;
class Card;
class ChartPanel;
class CurveChart;
class ElidedLabel;
class EmptyState;
class GuessGrid;
class LiveCards;
struct RunFailure;

/// The run that is going on, was last, or was opened from the history: cards, curves, step times, and what the
/// network says of a few photographs.
class LivePage : public Page {
    Q_OBJECT

public:
    explicit LivePage(const AppContext& context, QWidget* parent = nullptr,
                      DatasetOpener::OpenFunction open = data::openDataset);
    ~LivePage() override;

    void setTheme(const Theme& theme) override;
    void exportShown() override;

    /// A run has been asked for: the page forgets the one before.
    void begin(const values::ExperimentConfig& config);
    /// A run of the history is going on: as begin(), and what it did before is read as soon as it has a plan.
    void goOn(const values::ExperimentConfig& config);
    /// Reads a run of the history and shows it as it ended.
    void open(std::int64_t run);
    /// Steps and epochs that are there already are left out.
    void apply(const std::vector<values::RunEvent>& batch);
    void finish(const train::RunOutcome& outcome);
    void fail(const RunFailure& failure);

    /// Nothing before the first begin().
    const std::optional<LiveRun>& run() const { return m_run; }
    CurveChart* lossChart() const { return m_loss; }
    CurveChart* accuracyChart() const { return m_accuracy; }
    CurveChart* timeChart() const { return m_time; }
    Banner* banner() const { return m_banner; }
    /// What the run's line says: the last notice, or how the run ended.
    QString lastRemark() const;

private:
    void setUpCharts();
    void takeRecords(const RunRecords& records);
    bool isKnown(const values::RunEvent& event) const;
    void addToCharts(const values::RunEvent& event);
    double placeOfSkip(const values::StepRecord& step) const;
    void remark(const char* role, const QString& sentence);
    void updateHeader();
    void showGuesses();
    std::vector<ChartPanel*> charts() const;

    AppContext m_context;
    Theme m_theme;
    std::optional<LiveRun> m_run;
    DatasetOpener m_opener;                         ///< of the run's photographs, for the guesses
    std::shared_ptr<const data::Dataset> m_dataset; ///< null until opened
    QStringList m_notices;
    bool m_earlierWanted = false;          ///< a run goes on whose records have yet to be read
    std::optional<std::int64_t> m_opening; ///< the run of the history that is being read
    bool m_opened = false;                 ///< what shows was opened from the history

    Banner* m_banner;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QLabel* m_header;
    QLabel* m_activity;
    ElidedLabel* m_notice; ///< the last one, in a line of its own: it comes and goes without moving anything
    LiveCards* m_cards;
    CurveChart* m_loss;
    CurveChart* m_accuracy;
    CurveChart* m_time;
    Card* m_guessCard;
    GuessGrid* m_guesses;
    QLabel* m_guessHint;

    RunHistory m_history; ///< last: it waits for its thread first
};

} // namespace halfstep::ui
