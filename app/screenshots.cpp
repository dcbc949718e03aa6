#include "app/screenshots.h"
#include "engine/backend/devices.h"
#include "engine/measure/sweep.h"
#include "ui/main_window.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/compare_sweep.h"
#include "ui/pages/experiment_form.h"
#include "ui/pages/live_page.h"
#include "ui/pages/numerics_page.h"
#include "ui/pages/sweep_form.h"
#include "ui/pages/sweep_panel.h"
#include "ui/pages/sweep_picker.h"
#include "ui/pages/why_page.h"
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QPixmap>
#include <QSettings>
#include <QTemporaryDir>
#include <QThread>
#include <cstdio>
#include <functional>

namespace halfstep::app {

namespace {

constexpr int kPatienceMilliseconds = 20 * 60 * 1000;
constexpr int kSettleMilliseconds = 1500; ///< for thumbnails and sets that are opened off the GUI thread
constexpr int kEpochs = 3; ///< some hundred steps: until then batch normalization's averages mislead validation

void runEventsFor(int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < milliseconds) {
        QApplication::processEvents(QEventLoop::AllEvents, 20);
        QThread::msleep(5);
    }
}

bool waitUntil(const std::function<bool()>& condition) {
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > kPatienceMilliseconds) {
            return false;
        }
        runEventsFor(20);
    }
    return true;
}

// In the order of the window's tabs.
constexpr int kDataPage = 0, kLivePage = 1, kComparePage = 2, kWhyPage = 3, kNumericsPage = 4;

class Photographer {
public:
    Photographer(ui::MainWindow& window, QDir folder) : m_window(window), m_folder(std::move(folder)) {}

    /// "NAME-light.png" and "NAME-dark.png" of a page.
    void take(const QString& name, int page) {
        m_window.showPage(page);
        runEventsFor(kSettleMilliseconds);
        for (const auto& [kind, theme] :
             {std::pair(ui::ThemeKind::Light, "light"), std::pair(ui::ThemeKind::Dark, "dark")}) {
            m_window.setTheme(kind);
            runEventsFor(200);
            const QString file = m_folder.filePath(QStringLiteral("%1-%2.png").arg(name, QLatin1String(theme)));
            m_allSaved = m_window.grab().save(file) && m_allSaved;
        }
        m_window.setTheme(ui::ThemeKind::Light);
    }
    bool allSaved() const { return m_allSaved; }

private:
    ui::MainWindow& m_window;
    QDir m_folder;
    bool m_allSaved = true;
};

/// A limit under which the largest batch of `config` fits in 16 bits but not in float32, as on a small card: halfway
/// between what a sweep of one step says of both.
std::uint64_t limitBetween(values::SweepConfig config, train::Places places, const QDir& scratch) {
    places.historyFile = scratch.filePath(QStringLiteral("limit.sqlite")).toStdString();
    config.policies = {precision::Policy::Float32, precision::Policy::MixedFloat16};
    config.batchSizes = {config.batchSizes.back()};
    config.steps = 1;
    config.warmup = 0;
    config.repeats = 1;
    config.input = values::SweepInput::Synthetic;
    const values::Sweep sweep = measure::runSweep(config, places, [](const values::SweepEvent&) {}, {});
    return (sweep.cells.at(0).predicted->peak + sweep.cells.at(1).predicted->peak) / 2;
}

/// A sweep of the form's experiment as a grid, with the article beside it, as bars and over the batch size.
bool photographSweep(ui::MainWindow& window, Photographer& photographer, const train::Places& places,
                     const QDir& scratch) {
    values::SweepConfig config;
    config.base = window.form()->config();
    config.batchSizes = {8, 16, 32, 64};
    config.steps = 20;
    config.warmup = 3;
    config.base.memoryLimitBytes = limitBetween(config, places, scratch);
    ui::CompareSweep* sweep = window.comparePage()->sweep();
    window.comparePage()->showView(ui::ComparePage::Grid);
    photographer.take(QStringLiteral("compare-empty"), kComparePage);
    sweep->panel()->form()->setConfig(config);
    sweep->start();
    if (!waitUntil([&] { return !sweep->session()->active(); })) {
        return false;
    }
    photographer.take(QStringLiteral("compare-grid"), kComparePage);
    sweep->picker()->article()->setCurrentIndex(1);
    photographer.take(QStringLiteral("compare-article"), kComparePage);
    sweep->picker()->article()->setCurrentIndex(0);
    window.comparePage()->showView(ui::ComparePage::Bars);
    photographer.take(QStringLiteral("compare-bars"), kComparePage);
    window.comparePage()->showView(ui::ComparePage::Scaling);
    photographer.take(QStringLiteral("compare-scaling"), kComparePage);
    return true;
}

} // namespace

int takeScreenshots(const QString& folder) {
    const QTemporaryDir own;
    if (!QDir().mkpath(folder) || !own.isValid()) {
        std::fprintf(stderr, "halfstep: the folder %s cannot be made: choose another.\n", qPrintable(folder));
        return 1;
    }
    train::Places places = train::userPlaces();
    places.historyFile = own.filePath(QStringLiteral("runs.sqlite")).toStdString();
    QSettings settings(own.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    ui::MainWindow window({.places = places, .devices = backend::devices(), .settings = &settings});
    window.resize(1280, 800);
    window.show();

    const QString data = qEnvironmentVariable("HALFSTEP_SCREENSHOT_DATA", QStringLiteral("sample"));
    window.form()->setDataSource(data);
    values::ExperimentConfig config = window.form()->config();
    config.epochs = kEpochs;
    Photographer photographer(window, QDir(folder));
    photographer.take(QStringLiteral("live-empty"), kLivePage);
    for (const precision::Policy policy : precision::kPolicies) {
        config.policy = policy;
        window.form()->setConfig(config);
        window.form()->requestStart();
        // Pictures in the middle of a run, of the policy with most to show.
        if (policy == precision::Policy::MixedFloat16) {
            waitUntil([&] {
                const auto& run = window.livePage()->run();
                return !window.session()->active() || (run && run->epochs().size() >= kEpochs - 1);
            });
            photographer.take(QStringLiteral("live"), kLivePage);
            photographer.take(QStringLiteral("numerics"), kNumericsPage);
            window.numericsPage()->showView(ui::NumericsPage::Roundings);
            photographer.take(QStringLiteral("roundings"), kNumericsPage);
            window.numericsPage()->showView(ui::NumericsPage::Measured);
        }
        if (!waitUntil([&] { return !window.session()->active(); })) {
            std::fprintf(stderr, "halfstep: a run took too long for a picture: use a smaller set.\n");
            return 1;
        }
    }
    photographer.take(QStringLiteral("live-finished"), kLivePage);
    photographer.take(QStringLiteral("data"), kDataPage);
    window.comparePage()->showView(ui::ComparePage::Runs);
    photographer.take(QStringLiteral("compare"), kComparePage);
    if (!photographSweep(window, photographer, places, QDir(own.path()))) {
        std::fprintf(stderr, "halfstep: the sweep took too long for a picture: use a smaller set.\n");
        return 1;
    }
    photographer.take(QStringLiteral("why-empty"), kWhyPage);
    config.policy = precision::Policy::MixedFloat16;
    window.form()->setConfig(config);
    emit window.whyPage()->profileWanted();
    waitUntil([&] { return !window.whyPage()->session()->active(); });
    photographer.take(QStringLiteral("why"), kWhyPage);
    return photographer.allSaved() ? 0 : 1;
}

} // namespace halfstep::app
