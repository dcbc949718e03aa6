#include "engine/data/sample/things.h"

namespace halfstep::data {

void drawFrenchHorn(Painter& painter, Random& random) {
    const bool silver = random.chance(0.15);
    const Colour brass =
        silver ? Colour{200, 202, 206}
               : colourOf(random.between(0.095, 0.135), random.between(0.55, 0.75), random.between(0.75, 0.92));
    const Paint tube(brass.lighter(0.35), brass.darker(0.35));
    const Paint edge(brass.darker(0.55));
    const auto pipe = [&](const Outline& line, double width) {
        painter.stroke(line, width + 0.035, edge);
        painter.stroke(line, width, tube);
        painter.stroke(line, width * 0.25, Paint(brass.lighter(0.65), 0.8));
    };
    const double r = random.between(0.56, 0.64);
    pipe(arc({-0.1, -0.05}, r, r, 0.16, 1.02), 0.1);
    pipe(arc({-0.1, -0.05}, r - 0.17, r - 0.17, -0.1, 0.8), 0.065);
    pipe(arc({-0.06, -0.02}, r - 0.31, r - 0.31, 0.1, 0.95), 0.055);
    pipe(smoothOpen({{-0.1, -0.05 - r}, {-0.45, -0.75}, {-0.85, -0.62}, {-1.0, -0.5}}), 0.04); // lead pipe
    painter.fill(ellipse({-1.0, -0.49}, 0.055, 0.055), Paint(brass.lighter(0.4), brass.darker(0.3)));
    pipe({{-0.4, 0.05}, {0.16, 0.05}}, 0.05);
    pipe({{-0.4, 0.2}, {0.16, 0.2}}, 0.05);
    for (double x = -0.3; x < 0.15; x += 0.19) { // valves
        painter.fill(ellipse({x, -0.05}, 0.085, 0.085), Paint(brass.darker(0.5)));
        painter.fill(ellipse({x, -0.05}, 0.07, 0.07), Paint(brass.lighter(0.5), brass.darker(0.2)));
        painter.stroke({{x - 0.02, 0.04}, {x - 0.09, 0.36}}, 0.035, Paint(brass.lighter(0.2), brass.darker(0.35)));
    }
    // The bell at the lower right, seen a little from the side.
    const double bell = random.between(0.4, 0.5);
    painter.fill(
        smoothClosed(
            {{0.3, -0.25}, {0.46, -0.12}, {0.5 + bell * 0.8, 0.2}, {0.52, 0.42 + bell}, {0.2, 0.6}, {0.28, 0.1}}),
        tube);
    painter.fill(ellipse({0.5, 0.46}, bell, bell * 0.92), Paint(brass.darker(0.5)));
    painter.fill(ellipse({0.5, 0.46}, bell - 0.03, bell * 0.92 - 0.03),
                 Paint(brass.lighter(0.45), brass.darker(0.15)));
    painter.fill(ellipse({0.48, 0.44}, bell * 0.68, bell * 0.62), Paint(brass.darker(0.3), brass.lighter(0.15)));
    painter.fill(ellipse({0.46, 0.42}, bell * 0.4, bell * 0.36), Paint(brass.darker(0.8), brass.darker(0.45)));
    painter.glow({0.38, 0.22}, 0.2, 0.12, {255, 255, 245}, 0.6);
}

void drawGarbageTruck(Painter& painter, Random& random) {
    const Colour load = random.chance(0.5)
                            ? colourOf(random.between(0.27, 0.42), random.between(0.5, 0.8), random.between(0.4, 0.7))
                            : colourOf(random.between(0, 1), random.between(0.05, 0.75), random.between(0.6, 0.95));
    const Colour cab =
        random.chance(0.5) ? Colour{236, 236, 232} : colourOf(random.between(0, 1), 0.7, random.between(0.6, 0.9));
    const Colour black{36, 36, 38};
    const double roof = random.between(-0.6, -0.48);
    painter.fill(box(-0.92, 0.32, 0.95, 0.44), Paint(black.lighter(0.15), black)); // frame
    // Load: a ribbed box with a slanting hopper behind.
    painter.fill(roundedBox(-0.42, roof, 0.66, 0.34, 0.05), rounded(load));
    for (double x = -0.3; x < 0.62; x += random.between(0.15, 0.17)) {
        painter.stroke({{x, roof + 0.05}, {x, 0.3}}, 0.03, Paint(load.darker(0.3), 0.7));
    }
    painter.fill({{0.62, roof + 0.02}, {0.84, roof + 0.1}, {1.02, 0.02}, {0.98, 0.38}, {0.62, 0.36}},
                 Paint(load.darker(0.05), load.darker(0.4)));
    painter.fill({{0.84, -0.06}, {0.99, 0.02}, {0.96, 0.26}, {0.8, 0.22}}, Paint({30, 30, 32}));
    painter.stroke({{0.6, roof + 0.12}, {0.9, -0.1}}, 0.04, Paint({190, 190, 194}, {110, 110, 114}));
    painter.fill(roundedBox(-0.2, -0.22, 0.42, 0.04, 0.03), Paint(Colour{245, 245, 240}, 0.85)); // sign on the side
    painter.stroke({{-0.1, -0.09}, {0.32, -0.09}}, 0.05, Paint(load.darker(0.4)));
    // Cab to the left.
    painter.fill(
        smoothClosed({{-0.98, 0.36}, {-0.98, -0.02}, {-0.9, -0.36}, {-0.5, -0.4}, {-0.46, 0.0}, {-0.46, 0.36}}),
        rounded(cab));
    painter.fill({{-0.93, -0.02}, {-0.86, -0.28}, {-0.58, -0.3}, {-0.57, -0.02}},
                 Paint({180, 214, 232}, {70, 100, 120}));
    painter.stroke({{-0.72, -0.29}, {-0.72, 0.3}}, 0.02, Paint(cab.darker(0.4)));
    painter.fill(ellipse({-0.94, 0.2}, 0.05, 0.06), Paint({255, 244, 190}));
    painter.fill(roundedBox(-0.78, -0.5, -0.66, -0.4, 0.03), Paint({250, 170, 30})); // beacon
    for (const double x : {-0.7, 0.28, 0.62}) {
        painter.fill(ellipse({x, 0.5}, 0.2, 0.2), Paint({24, 24, 26}));
        painter.fill(ellipse({x, 0.5}, 0.1, 0.1), Paint({196, 198, 202}, {104, 106, 110}));
        painter.fill(ellipse({x, 0.5}, 0.035, 0.035), Paint({50, 50, 54}));
    }
}

void drawGolfBall(Painter& painter, Random& random) {
    const Colour ball = random.chance(0.85) ? Colour{246, 246, 242} : colourOf(random.between(0.1, 0.95), 0.5, 0.96);
    const double r = 0.78;
    if (random.chance(0.5)) { // on a tee
        const Colour tee = colourOf(random.between(0, 1), random.between(0.1, 0.8), 0.9);
        painter.fill({{-0.2, r - 0.06},
                      {0.2, r - 0.06},
                      {0.06, r + 0.12},
                      {0.05, r + 0.5},
                      {-0.05, r + 0.5},
                      {-0.06, r + 0.12}},
                     rounded(tee));
    } else {
        painter.glow({0.12, r * 0.95}, 1.0, 0.26, {0, 0, 0}, 0.65);
    }
    painter.fill(ellipse({0, 0}, r, r), Paint(ball, ball.darker(0.32)));
    painter.glow({0.3, 0.38}, 0.75, 0.7, {60, 64, 74}, 0.35);
    // Dimples on a turned hexagonal grid, foreshortened towards the rim.
    const double turn = random.between(0, 1);
    const double c = cosineOfTurns(turn), s = sineOfTurns(turn);
    const double step = random.between(0.2, 0.25);
    for (int row = -6; row <= 6; ++row) {
        for (int column = -6; column <= 6; ++column) {
            const double u = (column + (row % 2 != 0 ? 0.5 : 0.0)) * step;
            const double v = row * step * 0.87;
            const double x = c * u - s * v, y = s * u + c * v;
            const double distance = x * x + y * y;
            if (distance < 1.3) {
                const double squeeze = 1 / (1 + 0.55 * distance); // a flat grid pulled over the ball
                const Point at{x * squeeze * 1.12 * r, y * squeeze * 1.12 * r};
                if (at.x * at.x + at.y * at.y < 0.86 * r * r) {
                    const double size = step * 0.33 * squeeze;
                    painter.fill(ellipse({at.x + 0.012, at.y + 0.012}, size, size), Paint(ball.lighter(0.5), 0.55));
                    painter.fill(ellipse(at, size * 0.9, size * 0.9),
                                 Paint(ball.darker(0.34), ball.darker(0.2), 0.75));
                }
            }
        }
    }
    painter.glow({-0.3, -0.36}, 0.34, 0.28, {255, 255, 255}, 0.85);
    if (random.chance(0.5)) {
        painter.stroke({{-0.18, 0.06}, {0.2, 0.02}}, 0.06,
                       Paint(colourOf(random.between(0, 1), 0.8, 0.5), 0.85)); // printed mark
    }
}

} // namespace halfstep::data
