#include "engine/data/sample/geometry.h"
#include <cmath>

namespace halfstep::data {

double sineOfTurns(double turns) {
    turns -= std::floor(turns + 0.5);
    turns = turns > 0.25 ? 0.5 - turns : turns < -0.25 ? -0.5 - turns : turns;
    const double x = turns * 6.283185307179586;
    const double s = x * x;
    return x * (1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110)))));
}

double cosineOfTurns(double turns) {
    return sineOfTurns(turns + 0.25);
}

Outline ellipse(Point centre, double radiusX, double radiusY) {
    return arc(centre, radiusX, radiusY, 0, 1);
}

Outline arc(Point centre, double radiusX, double radiusY, double from, double to) {
    const int steps = radiusX < 0.1 ? 12 : 40; // of a thing's own unit; scenery's radii are pixels
    Outline outline;
    for (int i = 0; i <= steps; ++i) {
        const double turns = from + (to - from) * i / steps;
        outline.push_back({centre.x + radiusX * cosineOfTurns(turns), centre.y + radiusY * sineOfTurns(turns)});
    }
    return outline;
}

Outline box(double left, double top, double right, double bottom) {
    return {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
}

Outline roundedBox(double left, double top, double right, double bottom, double radius) {
    Outline outline;
    const auto corner = [&](double x, double y, double from) {
        for (int i = 0; i <= 5; ++i) {
            const double turns = from + 0.05 * i;
            outline.push_back({x + radius * cosineOfTurns(turns), y + radius * sineOfTurns(turns)});
        }
    };
    corner(right - radius, bottom - radius, 0);
    corner(left + radius, bottom - radius, 0.25);
    corner(left + radius, top + radius, 0.5);
    corner(right - radius, top + radius, 0.75);
    return outline;
}

namespace {

Outline smooth(const Outline& through, bool closed) {
    constexpr int steps = 8;
    const auto count = static_cast<int>(through.size());
    const auto at = [&](int i) {
        const int wrapped = (i + count) % count;
        const int held = i < 0 ? 0 : i >= count ? count - 1 : i;
        return through[static_cast<std::size_t>(closed ? wrapped : held)];
    };
    Outline outline;
    for (int i = 0; i < (closed ? count : count - 1); ++i) {
        const Point a = at(i - 1), b = at(i), c = at(i + 1), d = at(i + 2);
        for (int step = 0; step < steps; ++step) {
            const double t = static_cast<double>(step) / steps;
            const auto blend = [t](double p, double q, double r, double s) {
                return 0.5 * (2 * q + t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p))));
            };
            outline.push_back({blend(a.x, b.x, c.x, d.x), blend(a.y, b.y, c.y, d.y)});
        }
    }
    if (!closed && !through.empty()) {
        outline.push_back(through.back());
    }
    return outline;
}

} // namespace

Outline smoothClosed(const Outline& through) {
    return smooth(through, true);
}

Outline smoothOpen(const Outline& through) {
    return smooth(through, false);
}

Point Placement::onCanvas(Point p) const {
    const double x = mirrored ? -p.x : p.x;
    const double c = cosineOfTurns(turns);
    const double s = sineOfTurns(turns);
    return {centre.x + scale * (c * x - s * p.y), centre.y + scale * (s * x + c * p.y)};
}

} // namespace halfstep::data
