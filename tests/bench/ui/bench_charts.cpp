#include "engine/analysis/statistics.h"
#include "ui/bridge/system_usage.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/curve_chart.h"
#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QPixmap>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace {
using namespace halfstep;
using Clock = std::chrono::steady_clock;

constexpr double kAllowedRepaint = 50;   // ms
constexpr double kAllowedLateness = 200; // ms
constexpr double kAllowedGrowth = 50;    // MB

double millisecondsSince(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double residentMegabytes() {
    return 1e-6 * static_cast<double>(ui::SystemUsage(1).read().memoryBytes);
}

std::unique_ptr<ui::CurveChart> lossChart() {
    auto chart = std::make_unique<ui::CurveChart>("Loss", ui::AxisLook{.title = "step", .column = "step"},
                                                  ui::AxisLook{.title = "loss", .column = "loss"}, nullptr);
    chart->setCurves({{.name = "each step", .column = "loss", .colour = "#D55E00", .style = ui::CurveStyle::Thin}});
    chart->setTheme(ui::themeFor(ui::ThemeKind::Light));
    chart->resize(1280, 800);
    chart->show();
    return chart;
}

/// A loss that falls, with noise.
double lossAt(std::size_t step, std::mt19937& random) {
    return 2.3 * std::exp(-1e-5 * static_cast<double>(step)) +
           0.1 * std::uniform_real_distribution<double>(-1, 1)(random);
}

/// Whether the curve has ink near the top: the chart's y ends above 9.75, the curve itself stays below 3.
bool hasInkAbove(const QImage& picture, const QRect& plot) {
    const int rows = plot.height() / 2;
    for (int y = plot.top() + plot.height() / 8; y < plot.top() + rows; ++y) {
        for (int x = plot.left() + 2; x < plot.right() - 2; ++x) {
            const QColor colour = picture.pixelColor(x, y);
            if (colour.red() > colour.blue() + 60) { // of the curve; grid and background are grey
                return true;
            }
        }
    }
    return false;
}

/// Case E04: refresh and paint with one more point each time.
bool repaint(std::size_t count) {
    std::mt19937 random(1);
    const auto chart = lossChart();
    const double before = residentMegabytes();
    std::vector<QPointF> points;
    points.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        points.emplace_back(static_cast<double>(i), i == count * 37 / 100 ? 9.75 : lossAt(i, random));
    }
    const Clock::time_point set = Clock::now();
    chart->setPoints(0, points);
    std::vector<QPointF>().swap(points);
    chart->refresh();
    QPixmap pixmap(chart->size());
    chart->render(&pixmap);
    const double first = millisecondsSince(set);
    std::vector<double> times;
    for (int i = 0; i < 40; ++i) {
        chart->addPoint(0, {static_cast<double>(count) + i, lossAt(count, random)});
        const Clock::time_point begin = Clock::now();
        chart->refresh();
        chart->render(&pixmap);
        times.push_back(millisecondsSince(begin));
    }
    const double worst = *std::ranges::max_element(times);
    const QImage picture = pixmap.toImage();
    const QRect plot = picture.rect().adjusted(100, 60, -40, -100);
    const auto withoutSpike = [&] {
        std::vector<QPointF> flat = chart->points(0);
        flat[count * 37 / 100].setY(1);
        flat[0].setY(9.75); // left of the plot's inside: keeps the axis
        chart->setPoints(0, flat);
        chart->refresh();
        chart->render(&pixmap);
        return pixmap.toImage();
    };
    const bool spike = hasInkAbove(picture, plot) && !hasInkAbove(withoutSpike(), plot);
    std::printf("%9zu points at 1280 x 800: first %.1f ms; then one more and a repaint: median %.1f, worst %.1f ms "
                "(%s %.0f); spike %s; %.0f MB more\n",
                count, first, *analysis::median(times), worst, worst < kAllowedRepaint ? "within" : "BEYOND",
                kAllowedRepaint, spike ? "visible" : "LOST", residentMegabytes() - before);
    return worst < kAllowedRepaint && spike;
}

/// So many minutes of 200 points a second, drawn ten times a second; as fast as it goes, or in real time.
bool live(double minutes, bool realTime) {
    constexpr int kPointsASecond = 200, kDrawnASecond = 10, kPeriod = 20;
    std::mt19937 random(2);
    const auto chart = lossChart();
    const auto refreshes = static_cast<std::int64_t>(minutes * 60 * kDrawnASecond);
    std::vector<double> lateness, megabytes;
    QElapsedTimer sinceLast;
    QTimer timer;
    timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer, &QTimer::timeout, [&] {
        if (sinceLast.isValid()) {
            lateness.push_back(std::max(static_cast<double>(sinceLast.nsecsElapsed()) * 1e-6 - kPeriod, 0.0));
        }
        sinceLast.start();
    });
    std::int64_t done = 0;
    std::size_t step = 0;
    QTimer feeder;
    feeder.setTimerType(Qt::PreciseTimer);
    QObject::connect(&feeder, &QTimer::timeout, [&] {
        for (int i = 0; i < kPointsASecond / kDrawnASecond; ++i, ++step) {
            chart->addPoint(0, {static_cast<double>(step), lossAt(step, random)});
        }
        chart->refresh();
        chart->repaint();
        if (++done % (refreshes / 20) == 0) {
            megabytes.push_back(residentMegabytes());
        }
        if (done == refreshes) {
            QApplication::quit();
        }
    });
    for (int i = 0; i < 100; ++i) { // fonts, styles and pixmaps that the first drawings leave behind
        chart->addPoint(0, {static_cast<double>(step), lossAt(step, random)});
        ++step;
        chart->refresh();
        chart->repaint();
        QApplication::processEvents();
    }
    const double start = residentMegabytes();
    timer.start(kPeriod);
    feeder.start(realTime ? 1000 / kDrawnASecond : 0);
    QApplication::exec();
    const double middle = megabytes[megabytes.size() / 2], end = residentMegabytes();
    chart->setCurves({});
    const double worst = *std::ranges::max_element(lateness);
    std::printf(
        "%.1f minutes of 200 points/s%s: %zu points, %lld refreshes; resident %.1f MB at the start, %.1f in the "
        "middle, %.1f at the end, %.1f after it was emptied (%s %.0f more)\n",
        minutes, realTime ? "" : ", as fast as it goes", step, static_cast<long long>(refreshes), start, middle, end,
        residentMegabytes(), end - start < kAllowedGrowth ? "within" : "BEYOND", kAllowedGrowth);
    std::printf("  a %d ms timer meanwhile, late by ms: median %.2f   99 %% %.2f   worst %.2f   (%s %.0f)\n", kPeriod,
                *analysis::quantile(lateness, 0.5), *analysis::quantile(lateness, 0.99), worst,
                worst <= kAllowedLateness ? "within" : "BEYOND", kAllowedLateness);
    return worst <= kAllowedLateness && end - start < kAllowedGrowth;
}

} // namespace

/// Curves of many points in the real chart: how long a repaint takes, whether a spike of one point stays, whether the
/// memory stays flat and timers are in time. Exit status 1 where a target is missed.
///   halfstep_bench_charts [minutes] [--real-time]
int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    const double minutes = argc > 1 && std::atof(argv[1]) > 0 ? std::atof(argv[1]) : 10;
    const bool realTime = argc > 1 && std::strcmp(argv[argc - 1], "--real-time") == 0;
    bool all = true;
    for (const std::size_t count : {1'000U, 100'000U, 1'000'000U}) {
        all = repaint(count) && all;
    }
    return live(minutes, realTime) && all ? 0 : 1;
}
