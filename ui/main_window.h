#pragma once
#include "ui/bridge/app_context.h"
#include "ui/bridge/dataset_opener.h"
#include "ui/bridge/sweep_session.h"
#include "ui/bridge/training_session.h"
#include "ui/widgets/shortcut_list.h"
#include "ui/widgets/theme.h"
#include <QMainWindow>
#include <functional>
#include <optional>
#include <vector>

class QStackedWidget;

namespace halfstep::ui {

class Banner;
class ComparePage;
class ExperimentForm;
class HistoryPage;
class LivePage;
class NumericsPage;
class Page;
class StatusStrip;
class TopBar;
class WhyPage;

/// The window: the experiment at the left, the pages as tabs, the state of the run at the bottom. It joins the form,
/// the session and the pages, which do not know each other.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `run`, `open` and `sweep` are the engine's, or a test's own.
    explicit MainWindow(const AppContext& context, TrainingSession::RunFunction run = train::runExperiment,
                        DatasetOpener::OpenFunction open = data::openDataset,
                        SweepSession::SweepFunction sweep = SweepSession::runOrResume);
    ~MainWindow() override;

    void setTheme(ThemeKind kind);
    const Theme& theme() const { return m_theme; }
    void showPage(int page);

    ExperimentForm* form() const { return m_form; }
    LivePage* livePage() const { return m_live; }
    ComparePage* comparePage() const { return m_compare; }
    NumericsPage* numericsPage() const { return m_numerics; }
    WhyPage* whyPage() const { return m_why; }
    HistoryPage* historyPage() const { return m_history; }
    Page* page(int index) const { return m_pages.at(static_cast<std::size_t>(index)); }
    StatusStrip* statusStrip() const { return m_status; }
    TrainingSession* session() const { return m_session; }

protected:
    /// While a run or a sweep goes on: asks it to end, and closes when it has.
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void toggleTheme();
    void addPage(const QString& name, Page* page);
    void addShortcuts();
    void addShortcut(const QString& keys, const QString& what, const std::function<void()>& action);
    void connectSession();
    void connectSweep();
    void start(const values::ExperimentConfig& config);
    void goOn(const store::StoredRun& run);
    void profile();
    void togglePause();
    void runEnded();
    void closeIfAsked();
    void measuringChanged();
    void showState();
    void tellHistory();
    void settleDeletions();
    SweepSession* sweepSession() const;
    void historyChanged();
    void showShortcuts();
    void restore();
    void remember();

    AppContext m_context;
    Theme m_theme;
    TrainingSession* m_session;
    TopBar* m_top;
    QStackedWidget* m_stack;
    Banner* m_banner;
    ExperimentForm* m_form;
    LivePage* m_live;
    ComparePage* m_compare;
    WhyPage* m_why;
    NumericsPage* m_numerics;
    HistoryPage* m_history;
    StatusStrip* m_status;
    std::vector<Page*> m_pages;
    std::vector<ShortcutLine> m_shortcuts;
    /// Of the sweep that goes on; all zero before it is known.
    struct {
        qint64 done = 0, total = 0; ///< measurements
        std::optional<double> secondsLeft{};
    } m_sweepProgress;
    bool m_closing = false;
};

} // namespace halfstep::ui
