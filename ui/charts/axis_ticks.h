#pragma once

class QValueAxis;

namespace halfstep::ui {

/// Ends and distance of ticks that people read easily: 1, 2 or 5 times a power of ten.
struct Ticks {
    double from = 0;
    double to = 1;
    double interval = 0.2;
    int decimals = 1;
};

/// About `wanted` intervals over [low, high], ends moved outwards to a tick. Equal or reversed ends are spread.
Ticks niceTicks(double low, double high, int wanted, bool integers = false);
/// The same ticks inside fixed ends.
Ticks ticksInside(double low, double high, int wanted, bool integers = false);

void applyTicks(QValueAxis& axis, const Ticks& ticks);

} // namespace halfstep::ui
