#pragma once
#include <vector>

namespace halfstep::data {

/// In a thing's own coordinates (it fills about -1 to 1, y downwards) or on the canvas, in pixels.
struct Point {
    double x = 0;
    double y = 0;
};

using Outline = std::vector<Point>;

/// Sine and cosine of an angle in whole turns, by a polynomial: libm's differ in the last bit from machine to
/// machine, and the drawn pictures must not.
double sineOfTurns(double turns);
double cosineOfTurns(double turns);

Outline ellipse(Point centre, double radiusX, double radiusY);
/// From `from` to `to`, in turns clockwise from the right; not closed.
Outline arc(Point centre, double radiusX, double radiusY, double from, double to);
Outline box(double left, double top, double right, double bottom);
Outline roundedBox(double left, double top, double right, double bottom, double radius);
/// A smooth closed curve through the points (Catmull-Rom).
Outline smoothClosed(const Outline& through);
/// A smooth open curve through the points.
Outline smoothOpen(const Outline& through);

/// Where a thing stands on the canvas.
struct Placement {
    Point centre;          ///< pixels
    double scale = 100;    ///< pixels for a length of 1
    double turns = 0;      ///< clockwise
    bool mirrored = false; ///< left and right exchanged

    Point onCanvas(Point p) const;
};

} // namespace halfstep::data
