#include "engine/data/sample/scenery.h"

namespace halfstep::data {
namespace {

/// Scenery is laid out on a canvas of 256 x 256, whatever it really has.
constexpr double side = 256;

void useWholeCanvas(Painter& painter) {
    painter.place({.centre = {}, .scale = painter.side() / side, .turns = 0, .mirrored = false});
}

void paintSky(Painter& painter, Random& random, double horizon) {
    const bool grey = random.chance(0.3);
    const double hue = random.between(0.55, 0.62);
    const Colour zenith =
        grey ? colourOf(hue, 0.12, random.between(0.6, 0.8)) : colourOf(hue, random.between(0.4, 0.7), 0.9);
    const Colour low = random.chance(0.25) ? colourOf(random.between(0.03, 0.1), 0.35, 0.97) : zenith.lighter(0.65);
    painter.gradient(-2, horizon + 1, zenith, low);
    const auto clouds = random.below(4);
    for (std::uint64_t i = 0; i < clouds; ++i) {
        const Point at{random.between(0, side), random.between(0, horizon * 0.8)};
        const double size = random.between(18, 46);
        for (int puff = 0; puff < 4; ++puff) {
            painter.glow({at.x + random.between(-1.2, 1.2) * size, at.y + random.between(-0.25, 0.25) * size}, size,
                         size * 0.5, {255, 255, 255}, 0.7);
        }
    }
}

void paintGround(Painter& painter, Random& random, double horizon, Colour far, Colour near) {
    painter.gradient(horizon, side + 2, far, near);
    const int marks = 60;
    for (int i = 0; i < marks; ++i) { // blades, pebbles, ripples: larger the nearer they are
        const double depth = random.between(0, 1);
        const double y = horizon + (side - horizon) * depth * depth + 2;
        const double x = random.between(0, side);
        const double length = 2 + 9 * depth;
        const Colour colour = random.chance(0.5) ? near.lighter(0.18) : near.darker(0.2);
        painter.stroke({{x, y}, {x + random.between(-0.5, 0.5) * length, y - 0.6 * length}}, 1, Paint(colour, 0.6));
    }
}

void paintFarThings(Painter& painter, Random& random, double horizon) {
    if (random.chance(0.5)) { // hills
        const Colour colour = colourOf(random.between(0.25, 0.6), 0.25, random.between(0.45, 0.7));
        Outline hills{{-5, horizon + 2}};
        for (double x = -5; x < side + 30; x += 26) {
            hills.push_back({x, horizon - random.between(4, 34)});
        }
        hills.push_back({side + 30, horizon + 2});
        painter.fill(smoothOpen(hills), Paint(colour.lighter(0.2), colour));
    }
    const auto trees = random.below(5);
    for (std::uint64_t i = 0; i < trees; ++i) {
        const double x = random.between(0, side);
        const double size = random.between(10, 26);
        const Colour leaf = colourOf(random.between(0.2, 0.36), 0.5, random.between(0.3, 0.55));
        painter.stroke({{x, horizon + 2}, {x, horizon - size}}, 3, Paint({90, 70, 50}));
        painter.fill(ellipse({x, horizon - 1.3 * size}, size * 0.6, size * 0.8), rounded(leaf));
    }
}

void paintWallPattern(Painter& painter, Random& random, Colour wall, double bottom) {
    const auto kind = random.below(4);
    const Colour line = wall.darker(random.between(0.08, 0.2));
    if (kind == 0) { // bricks
        const double height = random.between(12, 20);
        for (double y = 0, shift = 0; y < bottom; y += height, shift = height - shift) {
            painter.stroke({{-2, y}, {side + 2, y}}, 2, Paint(line));
            for (double x = shift; x < side; x += 2 * height) {
                painter.stroke({{x, y}, {x, y + height}}, 2, Paint(line));
            }
        }
    } else if (kind == 1) { // boards or stripes
        const double width = random.between(14, 34);
        for (double x = random.between(0, width); x < side; x += width) {
            painter.stroke({{x, -2}, {x, bottom}}, random.chance(0.5) ? 1 : 3, Paint(line));
        }
    } else if (kind == 2) { // wallpaper dots
        const double step = random.between(18, 30);
        for (double y = step / 2; y < bottom; y += step) {
            for (double x = step / 2; x < side; x += step) {
                painter.fill(ellipse({x, y}, 2.4, 2.4), Paint(line));
            }
        }
    }
}

} // namespace

Scene paintBackground(Painter& painter, Random& random, Place place) {
    useWholeCanvas(painter);
    if (place == Place::Wall || place == Place::Table) {
        const Colour wall = colourOf(random.between(0, 1), random.between(0.05, 0.4), random.between(0.45, 0.95));
        const double edge = side * (place == Place::Wall ? random.between(0.8, 0.95) : random.between(0.5, 0.72));
        painter.gradient(-2, side + 2, wall.lighter(0.15), wall.darker(0.15));
        paintWallPattern(painter, random, wall, edge);
        const Colour top = colourOf(random.between(0.04, 0.12), random.between(0.2, 0.6), random.between(0.35, 0.8));
        painter.gradient(edge, side + 2, top.lighter(0.2), top.darker(0.15));
        for (int i = 0; i < 9; ++i) { // grain of the wood
            const double y = edge + (side - edge) * random.between(0.1, 1);
            painter.stroke({{-2, y}, {side + 2, y + random.between(-5, 5)}}, 1, Paint(top.darker(0.3), 0.35));
        }
        painter.addRelief(random, 7, 10);
        return {edge + (side - edge) * random.between(0.15, 0.6)};
    }
    const bool sky = place == Place::Sky;
    const double horizon = side * (sky ? random.between(0.86, 1.05) : random.between(0.35, 0.68));
    paintSky(painter, random, std::min(horizon, side));
    if (horizon < side) {
        paintFarThings(painter, random, horizon);
        Colour ground = colourOf(random.between(0.2, 0.33), random.between(0.4, 0.65), random.between(0.4, 0.7));
        if (place == Place::Street) {
            ground = colourOf(random.between(0.05, 0.7), 0.08, random.between(0.35, 0.65));
        } else if (place == Place::Water) {
            ground = colourOf(random.between(0.48, 0.6), random.between(0.3, 0.6), random.between(0.4, 0.75));
        }
        paintGround(painter, random, horizon, ground.lighter(0.25), ground.darker(0.1));
    }
    painter.addRelief(random, 9, 12);
    return {horizon + (side - horizon) * random.between(0.35, 0.75)};
}

void paintClutter(Painter& painter, Random& random, const Scene& scene, int count) {
    useWholeCanvas(painter);
    for (int i = 0; i < count; ++i) {
        const Point at{random.between(0, side), random.between(scene.groundY - 50, side)};
        const double size = random.between(6, 20);
        const Colour colour = colourOf(random.between(0, 1), random.between(0.1, 0.7), random.between(0.3, 0.95));
        switch (random.below(5)) {
        case 0: // a stone or ball
            painter.glow({at.x, at.y + size * 0.8}, size * 1.3, size * 0.4, {0, 0, 0}, 0.4);
            painter.fill(ellipse(at, size, size * random.between(0.6, 1)), rounded(colour));
            break;
        case 1: // a box
            painter.glow({at.x, at.y + size}, size * 1.4, size * 0.4, {0, 0, 0}, 0.4);
            painter.fill(box(at.x - size, at.y - size * 0.7, at.x + size, at.y + size), rounded(colour));
            break;
        case 2: // a post
            painter.fill(box(at.x - 2, at.y - 3 * size, at.x + 3, at.y + 4), rounded(colour));
            break;
        case 3: // a leaf
            painter.place({.centre = painter.placement().onCanvas(at),
                           .scale = size * painter.placement().scale,
                           .turns = random.between(0, 1),
                           .mirrored = false});
            painter.fill(smoothClosed({{-1, 0}, {-0.2, -0.45}, {1, 0}, {-0.2, 0.45}}), rounded(colour));
            useWholeCanvas(painter);
            break;
        default: // a cable or twig
            painter.stroke(smoothOpen({at,
                                       {at.x + 2 * size, at.y - random.between(-1, 1) * size},
                                       {at.x + 4 * size, at.y + random.between(-1, 1) * size}}),
                           2, Paint(colour.darker(0.4)));
        }
    }
}

void paintLight(Painter& painter, Random& random) {
    // Dark and bright pictures, strong contrast: as in photographs, the deviation of the pixels is well over half of
    // their mean. Flat, bright pictures train as well, but batch normalization's moving averages follow them too
    // slowly.
    const double brightness = random.between(0.5, 1.05);
    const double warmth = random.between(-0.1, 0.1);
    painter.light(random.between(0, 1), random.between(0.05, 0.35),
                  {brightness * (1 + warmth), brightness, brightness * (1 - warmth)}, random.between(1.4, 1.9));
    painter.addGrain(random, random.between(4, 14));
}

} // namespace halfstep::data
