#include "engine/analysis/series.h"
#include <algorithm>
#include <cmath>

namespace halfstep::analysis {

namespace {

bool isFinite(const Point& point) {
    return std::isfinite(point.x) && std::isfinite(point.y);
}

template <typename Has>
std::vector<std::span<const Point>> stretchesOf(std::span<const Point> points, Has has) {
    std::vector<std::span<const Point>> stretches;
    for (auto begin = points.begin(); begin != points.end();) {
        begin = std::find_if(begin, points.end(), has);
        const auto end = std::find_if_not(begin, points.end(), has);
        if (begin != end) {
            stretches.emplace_back(begin, end);
        }
        begin = end;
    }
    return stretches;
}

} // namespace

std::vector<std::span<const Point>> finiteStretches(std::span<const Point> points) {
    return stretchesOf(points, isFinite);
}

std::vector<std::span<const Point>> positiveStretches(std::span<const Point> points) {
    return stretchesOf(points, [](const Point& point) { return isFinite(point) && point.y > 0; });
}

std::vector<Point> minMaxEnvelope(std::span<const Point> points, std::size_t limit) {
    if (points.size() <= limit) {
        return {points.begin(), points.end()};
    }
    // First and last stand outside the slices: the curve begins and ends where it really does.
    const std::span inner = points.subspan(1, points.size() - 2);
    const std::size_t slices = std::max<std::size_t>((limit - 2) / 2, 1);
    std::vector<Point> envelope;
    envelope.reserve(2 * slices + 2);
    envelope.push_back(points.front());
    for (std::size_t slice = 0; slice < slices; ++slice) {
        const auto begin = inner.begin() + static_cast<std::ptrdiff_t>(slice * inner.size() / slices);
        const auto end = inner.begin() + static_cast<std::ptrdiff_t>((slice + 1) * inner.size() / slices);
        auto [low, high] = std::minmax_element(begin, end, [](const Point& a, const Point& b) { return a.y < b.y; });
        if (high < low) {
            std::swap(low, high);
        }
        envelope.push_back(*low);
        if (high != low) {
            envelope.push_back(*high);
        }
    }
    envelope.push_back(points.back());
    return envelope;
}

std::span<const Point> visiblePart(std::span<const Point> points, double from, double to) {
    auto begin = std::lower_bound(points.begin(), points.end(), from,
                                  [](const Point& point, double x) { return point.x < x; });
    auto end = std::upper_bound(begin, points.end(), to, [](double x, const Point& point) { return x < point.x; });
    if (begin != points.begin()) {
        --begin;
    }
    if (end != points.end()) {
        ++end;
    }
    return {begin, end};
}

double ExponentialSmoother::add(double value) {
    if (!std::isfinite(value)) {
        return value;
    }
    m_sum = m_weight * m_sum + (1 - m_weight) * value;
    m_norm = m_weight * m_norm + (1 - m_weight);
    return m_sum / m_norm;
}

} // namespace halfstep::analysis
