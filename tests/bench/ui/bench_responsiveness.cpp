#include "engine/analysis/statistics.h"
#include "engine/backend/devices.h"
#include "ui/main_window.h"
#include "ui/pages/experiment_form.h"
#include "ui/pages/live_page.h"
#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <vector>

/// Opens the real window, trains on the sample on all cores, turns the pages, and says how late a 20 ms timer comes.
///   halfstep_bench_ui [seconds] [image size] [policy]
int main(int argc, char** argv) {
    using namespace halfstep;
    constexpr int kPeriod = 20;
    constexpr double kAllowed = 200;
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    const int seconds = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 30;
    const int imageSize = argc > 2 ? std::atoi(argv[2]) : 64;
    const auto policy = precision::policyNamed(argc > 3 ? argv[3] : "mixed_float16");
    if (!policy) {
        std::fprintf(stderr, "There is no policy %s.\n", argv[3]);
        return 2;
    }

    const QTemporaryDir own;
    QSettings settings(own.filePath("settings.ini"), QSettings::IniFormat);
    train::Places places = train::userPlaces();
    places.historyFile = own.filePath("runs.sqlite").toStdString();
    ui::MainWindow window({.places = places, .devices = backend::devices(), .settings = &settings});
    window.form()->setConfig({.policy = *policy, .epochs = 10000, .imageSize = imageSize});
    window.resize(1280, 800);
    window.show();

    std::vector<double> lateness;
    QElapsedTimer sinceLast;
    bool measuring = false;
    QTimer timer;
    timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer, &QTimer::timeout, [&] {
        if (measuring && sinceLast.isValid()) {
            lateness.push_back(std::max(static_cast<double>(sinceLast.nsecsElapsed()) * 1e-6 - kPeriod, 0.0));
        }
        sinceLast.start();
    });
    timer.start(kPeriod);

    int shown = 0;
    QTimer pages;
    QObject::connect(&pages, &QTimer::timeout, [&] { window.showPage(++shown % 3); });
    // From the first step on: what comes before is the one-time drawing of the sample.
    QObject::connect(window.session(), &ui::TrainingSession::events, [&] {
        if (!measuring && window.livePage()->run() && !window.livePage()->run()->steps().empty()) {
            measuring = true;
            pages.start(3000);
            QTimer::singleShot(seconds * 1000, [&] { window.close(); });
        }
    });
    window.form()->requestStart();
    QApplication::exec();

    if (lateness.empty()) {
        std::fprintf(stderr, "The run ended before it was measured: %s\n",
                     qPrintable(window.livePage()->lastRemark()));
        return 1;
    }
    const double worst = *std::ranges::max_element(lateness);
    std::printf("a %d ms timer during %zu steps of %s at %d x %d, all cores: %zu ticks; late by ms:\n", kPeriod,
                window.livePage()->run()->steps().size(), argc > 3 ? argv[3] : "mixed_float16", imageSize, imageSize,
                lateness.size());
    std::printf("  median %.2f   90 %% %.2f   99 %% %.2f   99.9 %% %.2f   worst %.2f   (%s %.0f)\n",
                *analysis::quantile(lateness, 0.5), *analysis::quantile(lateness, 0.9),
                *analysis::quantile(lateness, 0.99), *analysis::quantile(lateness, 0.999), worst,
                worst <= kAllowed ? "within" : "BEYOND", kAllowed);
    return 0;
}
