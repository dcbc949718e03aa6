#include "ui/charts/axis_ticks.h"
#include <QValueAxis>
#include <algorithm>
#include <cmath>

namespace halfstep::ui {

namespace {

double niceInterval(double range, int wanted, bool integers) {
    const double raw = range / std::max(wanted, 1);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double leading = raw / power;
    const double nice = (leading <= 1.0001 ? 1 : leading <= 2.0001 ? 2 : leading <= 5.0001 ? 5 : 10) * power;
    return integers ? std::max(nice, 1.0) : nice;
}

int decimalsOf(double interval) {
    return std::clamp(static_cast<int>(-std::floor(std::log10(interval) + 1e-9)), 0, 9);
}

} // namespace

Ticks ticksInside(double low, double high, int wanted, bool integers) {
    if (!(high > low)) {
        // One value: give it room, in proportion, so that it stands in the middle.
        const double room = low == 0 ? 1 : std::abs(low) * 0.1;
        high = low + room;
        low -= room;
    }
    const double interval = niceInterval(high - low, wanted, integers);
    return {low, high, interval, decimalsOf(interval)};
}

Ticks niceTicks(double low, double high, int wanted, bool integers) {
    Ticks ticks = ticksInside(low, high, wanted, integers);
    ticks.from = std::floor(ticks.from / ticks.interval + 1e-9) * ticks.interval;
    ticks.to = std::ceil(ticks.to / ticks.interval - 1e-9) * ticks.interval;
    return ticks;
}

Decades decadesAround(double low, double high) {
    constexpr double kMost = 5; // on the smallest plots Qt cuts labels that stand closer
    const double lowest = std::floor(std::log10(low) + 1e-9), highest = std::ceil(std::log10(high) - 1e-9);
    const double step = std::max(std::ceil((highest - lowest) / kMost), 1.0);
    const double from = std::floor(lowest / step) * step;
    const double to = std::max(std::ceil(highest / step) * step, from + step);
    return {std::pow(10.0, from), std::pow(10.0, to), std::pow(10.0, step)};
}

QString labelFormatFor(const Ticks& ticks) {
    const double largest = std::max(std::abs(ticks.from), std::abs(ticks.to));
    constexpr double kLongest = 1e7, kFinest = 1e-5;
    if (largest < kLongest && ticks.interval >= kFinest) {
        return QStringLiteral("%.%1f").arg(ticks.decimals);
    }
    const int digits = static_cast<int>(std::floor(std::log10(largest)) - std::floor(std::log10(ticks.interval)));
    return QStringLiteral("%.%1g").arg(std::clamp(digits + 1, 1, 9));
}

void applyTicks(QValueAxis& axis, const Ticks& ticks) {
    if (axis.min() == ticks.from && axis.max() == ticks.to && axis.tickInterval() == ticks.interval) {
        return;
    }
    // A small interval over a large old range would make thousands of ticks for a moment: widen the interval first.
    axis.setTickInterval(std::max({ticks.interval, (axis.max() - axis.min()) / 10, 1e-300}));
    axis.setRange(ticks.from, ticks.to);
    axis.setTickInterval(ticks.interval);
    axis.setLabelFormat(labelFormatFor(ticks));
}

} // namespace halfstep::ui
