#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace halfstep::analysis {

/// A point of a curve.
struct Point {
    double x = 0;
    double y = 0;
    bool operator==(const Point&) const = default;
};

/// The stretches of a curve without points that are not finite, each a view into `points`, in order. A gap in a curve
/// is where one stretch ends and the next begins.
std::vector<std::span<const Point>> finiteStretches(std::span<const Point> points);
/// The same for an axis of logarithms, on which y of 0 and below has no place either.
std::vector<std::span<const Point>> positiveStretches(std::span<const Point> points);

/// The same curve with at most `limit` points (at least 4): in each of limit / 2 slices of equally many points, the
/// lowest and the highest, in their order, so that no spike is lost. First and last point are kept. A curve that is
/// short enough comes back as it is. All points must be finite.
std::vector<Point> minMaxEnvelope(std::span<const Point> points, std::size_t limit);

/// The part of a curve (ascending x) that touches [from, to]: with one point more at either end, so that lines go on
/// to the edge of the picture.
std::span<const Point> visiblePart(std::span<const Point> points, double from, double to);

/// Exponential moving average without the pull to zero at the start: s = w s + (1 - w) y, divided by 1 - w^n.
/// A value that is not finite is passed by: it is returned itself, and the average goes on as if it had not come.
class ExponentialSmoother {
public:
    /// weight in [0, 1): 0 follows every value, 0.9 averages over about 10.
    explicit ExponentialSmoother(double weight) : m_weight(weight) {}
    double add(double value);

private:
    double m_weight;
    double m_sum = 0;
    double m_norm = 0; ///< 1 - weight^n
};

} // namespace halfstep::analysis
