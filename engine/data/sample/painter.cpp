#include "engine/data/sample/painter.h"
#include "engine/data/resize.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
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
        // 8 bits of fraction: colour and its change from pixel to pixel, so that the inner loop is whole numbers
        // only.
        const std::array<double, 3> lit{paint.lit.r, paint.lit.g, paint.lit.b};
        const std::array<double, 3> change{paint.shaded.r - lit[0], paint.shaded.g - lit[1], paint.shaded.b - lit[2]};
        std::array<int, 3> stepX{};
        for (std::size_t c = 0; c < 3; ++c) {
            stepX[c] = static_cast<int>(std::lround(change[c] * 0.35 / around.width * 256));
        }
        const auto opacity = static_cast<int>(std::lround(paint.opacity * 257));
        for (int y = area.y; y < area.y + area.height; ++y) {
            auto* covered = mask.ptr<std::uint8_t>(y) + area.x;
            auto* pixel = canvas.ptr<std::uint8_t>(y) + 3 * area.x;
            std::array<int, 3> colour{};
            for (std::size_t c = 0; c < 3; ++c) {
                const double down = 0.65 * (y - around.y) / around.height;
                colour[c] =
                    static_cast<int>(std::lround((lit[c] + change[c] * down) * 256)) + (area.x - around.x) * stepX[c];
            }
            for (int x = 0; x < area.width; ++x, pixel += 3) {
                if (covered[x] != 0) {
                    const int weight = covered[x] * opacity; // of 65536
                    for (std::size_t c = 0; c < 3; ++c) {
                        pixel[c] = static_cast<std::uint8_t>(
                            pixel[c] + ((((colour[c] >> 8) - pixel[c]) * weight + 32768) >> 16));
                    }
                }
                for (std::size_t c = 0; c < 3; ++c) {
                    colour[c] += stepX[c];
                }
            }
            std::memset(covered, 0, static_cast<std::size_t>(area.width));
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

void Painter::gradient(double top, double bottom, Colour from, Colour to) {
    const double first = m_state->placement.onCanvas({0, top}).y;
    const double last = m_state->placement.onCanvas({0, bottom}).y;
    const int begin = std::clamp(static_cast<int>(first), 0, side());
    const int end = std::clamp(static_cast<int>(std::ceil(last)), 0, side());
    for (int y = begin; y < end; ++y) {
        const Colour colour = from.mixed(to, std::clamp((y - first) / std::max(last - first, 1.0), 0.0, 1.0));
        m_state->canvas.row(y).setTo(cv::Scalar(colour.r, colour.g, colour.b));
    }
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
    const auto factor = static_cast<std::int16_t>(std::lround(strength * 2));
    std::vector<std::uint64_t> bits((m_state->canvas.total() * 3 + 7) / 8);
    std::generate(bits.begin(), bits.end(), [&] { return random.next(); });
    const auto* noise = reinterpret_cast<const std::int8_t*>(bits.data());
    auto* pixel = m_state->canvas.data;
    const std::size_t count = m_state->canvas.total() * 3;
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<std::int16_t>(pixel[i] + ((noise[i] * factor) >> 8));
        pixel[i] = static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}

void Painter::light(double turns, double slope, Colour gain, double contrast) {
    const double half = side() / 2.0;
    const double dx = cosineOfTurns(turns) / half * slope;
    const double dy = sineOfTurns(turns) / half * slope;
    // In fixed point of 8 bits: a pixel becomes (pixel * brightness - middle) * contrast + middle.
    const std::array<double, 3> gains{gain.r, gain.g, gain.b};
    const auto offset = static_cast<int>(std::lround((1 - contrast) * 118 * 256)) + 128;
    for (int y = 0; y < side(); ++y) {
        auto* pixel = m_state->canvas.ptr<std::uint8_t>(y);
        std::array<int, 3> start{};
        std::array<int, 3> step{};
        for (std::size_t c = 0; c < 3; ++c) { // 16 bits, so that the steps across a row add up
            start[c] = static_cast<int>(std::lround((1 + (y - half) * dy - half * dx) * gains[c] * contrast * 65536));
            step[c] = static_cast<int>(std::lround(dx * gains[c] * contrast * 65536));
        }
        for (int x = 0; x < side(); ++x, pixel += 3) {
            for (std::size_t c = 0; c < 3; ++c) {
                const int value = (pixel[c] * (start[c] >> 8) + offset) >> 8;
                pixel[c] = static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
                start[c] += step[c];
            }
        }
    }
}

RgbImage Painter::take() {
    const cv::Mat& canvas = m_state->canvas;
    return {canvas.cols, canvas.rows, {canvas.data, canvas.data + canvas.total() * 3}, "drawn"};
}

} // namespace halfstep::data
