#pragma once

#include <QString>

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

/// Ends of a logarithmic axis around [low, high], both above 0, and the distance of its ticks: powers of ten.
struct Decades {
    double from = 0.1;
    double to = 1;
    double base = 10; ///< a tick is `base` times the one before; at most 5 steps from end to end
};
Decades decadesAround(double low, double high);

/// How the labels of such ticks are printed (as by printf): with decimals, or with an exponent where decimals would
/// not tell the ticks apart or would be long.
QString labelFormatFor(const Ticks& ticks);

void applyTicks(QValueAxis& axis, const Ticks& ticks);

} // namespace halfstep::ui
