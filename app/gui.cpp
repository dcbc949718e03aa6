#include "app/gui.h"
#include "app/screenshots.h"
#include "engine/backend/devices.h"
#include "engine/tensor/error.h"
#include "ui/bridge/signal_watcher.h"
#include "ui/main_window.h"
#include <QApplication>
#include <QCommandLineParser>
#include <QFont>
#include <QSettings>
#include <cstdio>

namespace halfstep::app {

namespace {

/// What makes the window look the same on every machine: one style, one font.
void pinLooks() {
    QApplication::setStyle(QStringLiteral("Fusion"));
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(13);
    QApplication::setFont(font);
}

} // namespace

int runWindow(int argc, char** argv) {
    ui::SignalWatcher signals; // before Qt starts threads: they inherit what it blocks
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
        QObject::connect(&signals, &ui::SignalWatcher::terminationRequested, &window, &QWidget::close);
        window.show();
        return QApplication::exec();
    } catch (const Error& error) {
        std::fprintf(stderr, "halfstep: %s\n", error.what());
        return 1;
    }
}

} // namespace halfstep::app
