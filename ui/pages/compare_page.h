#pragma once
#include "ui/bridge/sweep_session.h"
#include "ui/pages/page.h"
#include <cstdint>
#include <vector>

class QStackedWidget;

namespace halfstep::ui {

class CompareRuns;
class CompareSweep;
class SegmentedSwitch;

/// Policies side by side: the cells of a sweep as a grid, as bars and over the batch size; or the runs of the
/// history.
class ComparePage : public Page {
    Q_OBJECT

public:
    enum View { Grid, Bars, Scaling, Runs };

    /// `sweep` is the engine's, or a test's own.
    explicit ComparePage(const AppContext& context, QWidget* parent = nullptr,
                         SweepSession::SweepFunction sweep = SweepSession::runOrResume);
    ~ComparePage() override;

    void setTheme(const Theme& theme) override;
    void exportShown() override;
    void setDataSource(const QString& source, int imageSize) override;
    void historyChanged() override;

    /// Puts these runs of the history side by side.
    void showRuns(const std::vector<std::int64_t>& runs);
    /// One of the history, in the view of sweeps that was last shown.
    void showSweep(std::int64_t sweep);
    /// Goes on with it, and shows it.
    void resumeSweep(std::int64_t sweep);
    /// Remembered for the next start of the program.
    void showView(View view);
    View view() const;
    CompareRuns* runs() const { return m_runs; }
    CompareSweep* sweep() const { return m_sweep; }

signals:
    /// The person wants to know why a step of this experiment takes so long.
    void whyWanted(const halfstep::values::ExperimentConfig& config);

private:
    AppContext m_context;
    SegmentedSwitch* m_view;
    QStackedWidget* m_stack;
    CompareSweep* m_sweep;
    CompareRuns* m_runs;
};

} // namespace halfstep::ui
