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

void applyTicks(QValueAxis& axis, const Ticks& ticks) {
    if (axis.min() == ticks.from && axis.max() == ticks.to && axis.tickInterval() == ticks.interval) {
        return;
    }
    // A small interval over a large old range would make thousands of ticks for a moment: widen the interval first.
    axis.setTickInterval(std::max({ticks.interval, (axis.max() - axis.min()) / 10, 1e-300}));
    axis.setRange(ticks.from, ticks.to);
    axis.setTickInterval(ticks.interval);
    axis.setLabelFormat(QStringLiteral("%.%1f").arg(ticks.decimals));
}

} // namespace halfstep::ui
