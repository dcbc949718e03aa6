#include "engine/analysis/series.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace halfstep::analysis;

namespace {

std::vector<Point> wave(int count) {
    std::vector<Point> points;
    for (int i = 0; i < count; ++i) {
        points.push_back({static_cast<double>(i), std::sin(i * 0.37)});
    }
    return points;
}

TEST(MinMaxEnvelope, AShortCurveComesBackAsItIs) {
    const auto points = wave(10);
    EXPECT_EQ(minMaxEnvelope(points, 10), points);
    EXPECT_TRUE(minMaxEnvelope({}, 10).empty());
}

TEST(MinMaxEnvelope, ALongCurveKeepsItsEndsItsOrderAndEverySpike) {
    auto points = wave(100'003);
    points[50'001].y = 100;
    points[77'777].y = -100;
    for (const std::size_t limit : {4U, 5U, 100U, 1000U}) {
        const auto envelope = minMaxEnvelope(points, limit);
        EXPECT_LE(envelope.size(), limit);
        EXPECT_EQ(envelope.front(), points.front());
        EXPECT_EQ(envelope.back(), points.back());
        EXPECT_TRUE(std::ranges::is_sorted(envelope, {}, &Point::x));
        EXPECT_EQ(std::ranges::max(envelope, {}, &Point::y).y, 100);
        EXPECT_EQ(std::ranges::min(envelope, {}, &Point::y).y, -100);
    }
}

TEST(FiniteStretches, EndWhereANumberIsNotFinite) {
    const double nan = std::nan("");
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<Point> points{{1, nan}, {2, 1}, {3, 2}, {4, inf}, {5, nan}, {6, 3}};
    const auto stretches = finiteStretches(points);
    ASSERT_EQ(stretches.size(), 2U);
    EXPECT_EQ(stretches[0].front(), (Point{2, 1}));
    EXPECT_EQ(stretches[0].size(), 2U);
    EXPECT_EQ(stretches[1].front(), (Point{6, 3}));
    EXPECT_TRUE(finiteStretches(std::vector<Point>{{1, nan}}).empty());
}

TEST(PositiveStretches, EndAlsoWhereALogarithmHasNoPlace) {
    const std::vector<Point> points{{1, 1}, {2, 0.1}, {3, 0}, {4, -0.5}, {5, 0.01}, {6, std::nan("")}, {7, 1}};
    const auto stretches = positiveStretches(points);
    ASSERT_EQ(stretches.size(), 3U);
    EXPECT_EQ(stretches[0].size(), 2U);
    EXPECT_EQ(stretches[1].front(), (Point{5, 0.01}));
    EXPECT_EQ(stretches[2].front(), (Point{7, 1}));
}

TEST(VisiblePart, ReachesOnePointBeyondEitherEnd) {
    const auto points = wave(100);
    const auto part = visiblePart(points, 10.5, 20.5);
    EXPECT_EQ(part.front().x, 10);
    EXPECT_EQ(part.back().x, 21);
    EXPECT_EQ(visiblePart(points, -5, 500).size(), 100U);
    EXPECT_TRUE(visiblePart({}, 0, 1).empty());
}

TEST(ExponentialSmoother, IsNotPulledToZeroAtTheStart) {
    ExponentialSmoother smoother(0.9);
    EXPECT_DOUBLE_EQ(smoother.add(5), 5);
    EXPECT_DOUBLE_EQ(smoother.add(5), 5);
    ExponentialSmoother other(0.5);
    other.add(0);
    EXPECT_DOUBLE_EQ(other.add(3), 2) << "(0.25 * 0 + 0.5 * 3) / 0.75";
}

TEST(ExponentialSmoother, PassesByWhatIsNotFinite) {
    ExponentialSmoother smoother(0.9);
    smoother.add(2);
    EXPECT_TRUE(std::isnan(smoother.add(std::nan(""))));
    EXPECT_DOUBLE_EQ(smoother.add(2), 2);
}

} // namespace
