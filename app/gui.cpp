#include "app/gui.h"
#include "app/display.h"
#include "app/screenshots.h"
#include "engine/backend/devices.h"
#include "engine/tensor/error.h"
#include "ui/bridge/signal_watcher.h"
#include "ui/main_window.h"
#include <QApplication>
#include <QCommandLineParser>
#include <QFont>
#include <QSettings>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace halfstep::app {

void pinLooks() {
    QApplication::setStyle(QStringLiteral("Fusion"));
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(13);
    QApplication::setFont(font);
}

namespace {

bool wantsScreenshots(int argc, char** argv) {
    return std::any_of(argv, argv + argc,
                       [](std::string_view argument) { return argument.starts_with("--screenshots"); });
}

} // namespace

int runWindow(int argc, char** argv) {
    if (!hasDisplay(argc, argv)) {
        if (!wantsScreenshots(argc, argv)) {
            std::fputs(
                "halfstep: There is no display to open the window on; start it in a desktop session, or use the "
                "command line (halfstep --help lists the commands).\n",
                stderr);
            return 1;
        }
        setenv("QT_QPA_PLATFORM", "offscreen", 1); // pictures need no display
    }
    std::signal(SIGXFSZ, SIG_IGN);            // a file that may grow no further: writing it fails with a sentence
    std::optional<ui::SignalWatcher> watcher; // before Qt starts threads: they inherit what it blocks
    if (!wantsScreenshots(argc, argv)) {      // pictures have nothing to keep: a signal ends them at once
        watcher.emplace();
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("halfstep"));
    QApplication::setOrganizationName(QStringLiteral("halfstep"));
    QApplication::setDesktopFileName(QStringLiteral("halfstep"));
    pinLooks();

    QCommandLineParser parser;
    parser.addHelpOption();
    const QCommandLineOption screenshots(QStringLiteral("screenshots"),
                                         QStringLiteral("Save pictures of the pages during real runs, and quit."),
                                         QStringLiteral("folder"));
    parser.addOption(screenshots);
    parser.process(application);

    try {
        if (parser.isSet(screenshots)) {
            return takeScreenshots(parser.value(screenshots));
        }
        QSettings settings;
        ui::MainWindow window({.places = train::userPlaces(), .devices = backend::devices(), .settings = &settings});
        QObject::connect(&*watcher, &ui::SignalWatcher::terminationRequested, &window, &QWidget::close);
        window.show();
        return QApplication::exec();
    } catch (const Error& error) {
        std::fprintf(stderr, "halfstep: %s\n", error.what());
        return 1;
    }
}

} // namespace halfstep::app
