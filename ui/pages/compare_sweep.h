#pragma once
#include "ui/bridge/app_context.h"
#include "ui/bridge/sweep_history.h"
#include "ui/bridge/sweep_session.h"
#include "ui/pages/run_estimate.h"
#include "ui/pages/sweep_views.h"
#include "ui/widgets/draw_cost.h"
#include "ui/widgets/theme.h"
#include <QWidget>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace halfstep::ui {

class Banner;
class SweepPanel;
class SweepPicker;

/// What the window knows and a sweep needs.
struct SweepHost {
    std::function<values::ExperimentConfig()> experiment;        ///< of the form at the left
    std::function<std::vector<values::FieldProblem>()> problems; ///< of that form
    std::function<QString()> busy = [] { return QString(); };    ///< why nothing can be measured now, or empty
};

/// Sweeps: the one that can be started, how far it is, and the cells of one of the history as a grid, as bars or over
/// the batch size.
class CompareSweep : public QWidget {
    Q_OBJECT

public:
    /// `sweep` is the engine's, or a test's own.
    CompareSweep(const AppContext& context, SweepSession::SweepFunction sweep, QWidget* parent = nullptr);
    ~CompareSweep() override;

    void setHost(SweepHost host);
    /// What the host knows has changed.
    void refreshPlan();
    void showView(SweepViews::View view);
    void setTheme(const Theme& theme);
    /// Offers the cells, or the chart that shows.
    void exportShown();
    void historyChanged();
    void start();
    void togglePause();
    /// One of the history.
    void showSweep(std::int64_t sweep);
    /// Goes on with one of the history where it was stopped.
    void resumeSweep(std::int64_t sweep);

    SweepSession* session() const { return m_session; }
    SweepPanel* panel() const { return m_panel; }
    SweepPicker* picker() const { return m_picker; }
    SweepGrid* grid() const { return m_views->grid(); }
    BarChart* bars() const { return m_views->bars(); }
    SweepScaling* scaling() const { return m_views->scaling(); }
    Banner* banner() const { return m_banner; }
    const MeasuredSweepPtr& shown() const { return m_shown; }

signals:
    /// The person wants to know why a step of this experiment takes so long.
    void whyWanted(const halfstep::values::ExperimentConfig& config);
    /// A sweep has begun, pauses, goes on, is to stop, or has ended.
    void activeChanged();
    /// So many of its measurements (rounds of a cell) are done.
    void progressed(qint64 done, qint64 total, const std::optional<double>& secondsLeft);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void connectSession();
    void connectHistory();
    values::ExperimentConfig experiment() const;
    void goOn(const measure::SweepContinuation& continuation);
    void begin(const SweepSession::Task& task);
    void takeLive(const MeasuredSweepPtr& sweep);
    /// Of what the live sweep had left when it began, 0 to 1; below 0 if that is not known yet.
    double shareDone() const;
    void takeStep(const values::SweepStep& step);
    void end();
    void show(const MeasuredSweepPtr& sweep);
    void refreshPicker();
    void askAndExport();

    AppContext m_context;
    SweepHost m_host;
    StepTimes m_times;
    DrawCost m_drawCost;
    MeasuredSweepPtr m_shown;
    MeasuredSweepPtr m_live;              ///< the newest state of the sweep that is being measured
    bool m_following = false;             ///< the live one shows
    std::int64_t m_cellRounds = 0;        ///< that the live one had left when it began
    std::optional<std::int64_t> m_wanted; ///< being read
    std::set<std::int64_t> m_listed;      ///< of the history, when it was last read

    SweepSession* m_session;
    Banner* m_banner;
    SweepPanel* m_panel;
    SweepPicker* m_picker;
    SweepViews* m_views;
    SweepHistory m_history; ///< last: it waits for its thread first
};

} // namespace halfstep::ui
