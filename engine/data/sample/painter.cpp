#include "engine/data/sample/painter.h"
#include "engine/data/resize.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace halfstep::data {
namespace {

constexpr int fixedPointBits = 4;

std::array<float, 3> channels(Colour c) {
    return {static_cast<float>(c.r), static_cast<float>(c.g), static_cast<float>(c.b)};
}

} // namespace

Colour colourOf(double hue, double saturation, double value) {
    const auto channel = [&](double offset) {
        double distance = hue + offset;
        distance = 6 * (distance - std::floor(distance));
        const double share = std::clamp(std::abs(distance - 3) - 1, 0.0, 1.0);
        return 255 * value * (1 - saturation * (1 - share));
    };
    return {channel(0), channel(2.0 / 3), channel(1.0 / 3)};
}

Paint rounded(Colour colour) {
    return {colour.lighter(0.22), colour.darker(0.3)};
}

struct Painter::State {
    cv::Mat canvas; ///< [side, side] R G B
    cv::Mat mask;   ///< [side, side]; zero between two shapes
    Placement placement{.centre = {}, .scale = 1, .turns = 0, .mirrored = false};

    std::vector<cv::Point> fixedPoints(const Outline& outline) const {
        std::vector<cv::Point> points;
        points.reserve(outline.size());
        for (const Point& p : outline) {
            const Point q = placement.onCanvas(p);
            const auto fixed = [](double v) {
                return static_cast<int>(std::lround(std::clamp(v, -2000.0, 4000.0) * (1 << fixedPointBits)));
            };
            points.emplace_back(fixed(q.x), fixed(q.y));
        }
        return points;
    }

    /// Lays `paint` over the canvas where the mask is set, within the points' box and `margin` pixels, and clears the
    /// mask.
    void spread(const std::vector<cv::Point>& points, int margin, const Paint& paint) {
        const cv::Rect fixed = cv::boundingRect(points);
        const auto whole = [](int v) { return v >> fixedPointBits; };
        const cv::Rect around(whole(fixed.x) - margin, whole(fixed.y) - margin, whole(fixed.width) + 2 * margin + 2,
                              whole(fixed.height) + 2 * margin + 2);
        const cv::Rect area = around & cv::Rect(0, 0, canvas.cols, canvas.rows);
        const auto from = channels(paint.lit);
        const auto to = channels(paint.shaded);
        const float stepX = 0.35F / static_cast<float>(std::max(around.width, 1));
        const float stepY = 0.65F / static_cast<float>(std::max(around.height, 1));
        const float opacity = static_cast<float>(paint.opacity) / 255.0F;
        for (int y = area.y; y < area.y + area.height; ++y) {
            auto* covered = mask.ptr<std::uint8_t>(y);
            auto* pixel = canvas.ptr<std::uint8_t>(y) + 3 * area.x;
            for (int x = area.x; x < area.x + area.width; ++x, pixel += 3) {
                if (covered[x] != 0) {
                    const float share =
                        static_cast<float>(x - around.x) * stepX + static_cast<float>(y - around.y) * stepY;
                    const float weight = static_cast<float>(covered[x]) * opacity;
                    for (std::size_t c = 0; c < 3; ++c) {
                        const auto old = static_cast<float>(pixel[c]);
                        pixel[c] = static_cast<std::uint8_t>(
                            old + (from[c] + (to[c] - from[c]) * share - old) * weight + 0.5F);
                    }
                    covered[x] = 0;
                }
            }
        }
    }
};

Painter::Painter(int side) : m_state(std::make_unique<State>()) {
    m_state->canvas = cv::Mat::zeros(side, side, CV_8UC3);
    m_state->mask = cv::Mat::zeros(side, side, CV_8UC1);
}

Painter::~Painter() = default;

int Painter::side() const {
    return m_state->canvas.cols;
}

void Painter::place(const Placement& placement) {
    m_state->placement = placement;
}

const Placement& Painter::placement() const {
    return m_state->placement;
}

void Painter::fill(const Outline& outline, const Paint& paint) {
    const auto points = m_state->fixedPoints(outline);
    cv::fillPoly(m_state->mask, std::vector<std::vector<cv::Point>>{points}, cv::Scalar(255), cv::LINE_AA,
                 fixedPointBits);
    m_state->spread(points, 2, paint);
}

void Painter::stroke(const Outline& line, double width, const Paint& paint, bool closed) {
    const auto points = m_state->fixedPoints(line);
    const int thickness = std::max(static_cast<int>(std::lround(width * m_state->placement.scale)), 1);
    cv::polylines(m_state->mask, std::vector<std::vector<cv::Point>>{points}, closed, cv::Scalar(255), thickness,
                  cv::LINE_AA, fixedPointBits);
    m_state->spread(points, thickness / 2 + 3, paint);
}

void Painter::glow(Point centre, double radiusX, double radiusY, Colour colour, double opacity) {
    const Placement& at = m_state->placement;
    const Point middle = at.onCanvas(centre);
    const double width = std::max(radiusX * at.scale, 1.0);
    const double height = std::max(radiusY * at.scale, 1.0);
    const auto last = static_cast<double>(side() - 1);
    const auto top = static_cast<int>(std::clamp(middle.y - height, 0.0, last));
    const auto bottom = static_cast<int>(std::clamp(middle.y + height, 0.0, last));
    const auto left = static_cast<int>(std::clamp(middle.x - width, 0.0, last));
    const auto right = static_cast<int>(std::clamp(middle.x + width, 0.0, last));
    const auto target = channels(colour);
    for (int y = top; y <= bottom; ++y) {
        auto* pixel = m_state->canvas.ptr<std::uint8_t>(y) + 3 * left;
        const double dy = (y - middle.y) / height;
        for (int x = left; x <= right; ++x, pixel += 3) {
            const double dx = (x - middle.x) / width;
            const double inside = std::max(1 - dx * dx - dy * dy, 0.0);
            const auto weight = static_cast<float>(inside * inside * opacity);
            for (std::size_t c = 0; c < 3; ++c) {
                const auto old = static_cast<float>(pixel[c]);
                pixel[c] = static_cast<std::uint8_t>(old + (target[c] - old) * weight + 0.5F);
            }
        }
    }
}

void Painter::addRelief(Random& random, int cells, double strength) {
    const auto count = static_cast<std::size_t>(cells);
    std::vector<std::uint8_t> hills(count * count * 3);
    for (std::size_t i = 0; i < hills.size(); i += 3) {
        const auto value = static_cast<std::uint8_t>(random.below(256));
        hills[i] = hills[i + 1] = hills[i + 2] = value;
    }
    std::vector<std::uint8_t> relief(m_state->canvas.total() * 3);
    resizeToBytes(hills, cells, cells, side(), relief);
    const auto factor = static_cast<int>(std::lround(strength * 256 / 128));
    auto* pixel = m_state->canvas.data;
    for (std::size_t i = 0; i < relief.size(); ++i) {
        const int value = pixel[i] + ((relief[i] - 128) * factor + 128) / 256;
        pixel[i] = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
    }
}

void Painter::addGrain(Random& random, double strength) {
    const auto factor = static_cast<int>(std::lround(strength * 2));
    auto* pixel = m_state->canvas.data;
    const std::size_t count = m_state->canvas.total() * 3;
    for (std::size_t i = 0; i < count; i += 8) {
        std::uint64_t bits = random.next();
        for (std::size_t k = i; k < std::min(i + 8, count); ++k, bits >>= 8U) {
            const int value = pixel[k] + ((static_cast<int>(bits & 0xffU) - 128) * factor + 128) / 256;
            pixel[k] = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
        }
    }
}

void Painter::light(double turns, double contrast, Colour gain) {
    const double half = side() / 2.0;
    const double dx = cosineOfTurns(turns) / half * contrast;
    const double dy = sineOfTurns(turns) / half * contrast;
    const auto gains = channels(gain);
    for (int y = 0; y < side(); ++y) {
        auto* pixel = m_state->canvas.ptr<std::uint8_t>(y);
        const auto start = static_cast<float>(1 + (y - half) * dy - half * dx);
        for (int x = 0; x < side(); ++x, pixel += 3) {
            const float brightness = start + static_cast<float>(x) * static_cast<float>(dx);
            for (std::size_t c = 0; c < 3; ++c) {
                const float value = static_cast<float>(pixel[c]) * brightness * gains[c];
                pixel[c] = static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F) + 0.5F);
            }
        }
    }
}

RgbImage Painter::take() {
    const cv::Mat& canvas = m_state->canvas;
    return {canvas.cols, canvas.rows, {canvas.data, canvas.data + canvas.total() * 3}, "drawn"};
}

} // namespace halfstep::data
