#pragma once
#include "engine/data/decode.h"
#include "engine/data/sample/geometry.h"
#include "engine/tensor/random.h"
#include <memory>

namespace halfstep::data {
using tensor::Random;

/// R, G, B, each 0 to 255.
struct Colour {
    double r = 0;
    double g = 0;
    double b = 0;

    Colour lighter(double by) const { return mixed({255, 255, 255}, by); }
    Colour darker(double by) const { return mixed({0, 0, 0}, by); }
    Colour mixed(Colour other, double share) const {
        return {r + (other.r - r) * share, g + (other.g - g) * share, b + (other.b - b) * share};
    }
};

/// A colour of a hue given in turns (0 red, 1/3 green, 2/3 blue), saturation and value 0 to 1.
Colour colourOf(double hue, double saturation, double value);

/// What a shape is filled with: a gradient from its upper left, where the light comes from, to its lower right.
struct Paint {
    Paint(Colour plain, double opacityOfIt = 1) : lit(plain), shaded(plain), opacity(opacityOfIt) {}
    Paint(Colour from, Colour to, double opacityOfIt = 1) : lit(from), shaded(to), opacity(opacityOfIt) {}
    Colour lit;
    Colour shaded;
    double opacity = 1;
};

/// Light and shade of one colour, as on a rounded body.
Paint rounded(Colour colour);

/// A canvas of `side` x `side` pixels for anti-aliased shapes, drawn by OpenCV in fixed point: the same bits
/// everywhere.
class Painter {
public:
    explicit Painter(int side);
    ~Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    int side() const;
    /// Where the shapes that follow are put; at first, coordinates are pixels.
    void place(const Placement& placement);
    const Placement& placement() const;

    void fill(const Outline& outline, const Paint& paint);
    /// Rows of pixels between two heights of the canvas (in the placement's unit), shading from one colour to the
    /// other.
    void gradient(double top, double bottom, Colour from, Colour to);
    /// A line of `width` (in the placement's unit, at least one pixel) with round ends.
    void stroke(const Outline& line, double width, const Paint& paint, bool closed = false);
    /// A soft spot that fades out towards the edge of the ellipse: shadows, clouds, highlights.
    void glow(Point centre, double radiusX, double radiusY, Colour colour, double opacity);

    /// Adds `strength` x the value of a smooth random relief with `cells` hills a side to every pixel.
    void addRelief(Random& random, int cells, double strength);
    /// Adds noise of +- `strength` to every pixel and channel.
    void addGrain(Random& random, double strength);
    /// Light falling in from `turns`: brightness goes from 1 + `slope` to 1 - `slope` across the canvas, all times
    /// `gain` for each channel; then the distance to a middle gray is stretched by `contrast`.
    void light(double turns, double slope, Colour gain, double contrast);

    RgbImage take();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace halfstep::data
