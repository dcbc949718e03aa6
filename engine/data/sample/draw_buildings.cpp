#include "engine/data/sample/things.h"

namespace halfstep::data {

void drawChurch(Painter& painter, Random& random) {
    const bool brick = random.chance(0.4);
    const Colour wall =
        brick ? colourOf(random.between(0.02, 0.07), random.between(0.4, 0.6), random.between(0.55, 0.75))
              : colourOf(0.11, random.between(0.03, 0.25), random.between(0.7, 0.95));
    const Colour roof = random.chance(0.5) ? colourOf(random.between(0.0, 0.06), 0.55, random.between(0.4, 0.65))
                                           : colourOf(random.between(0.4, 0.62), 0.25, random.between(0.3, 0.55));
    const Colour glass = colourOf(random.between(0.55, 0.65), 0.45, random.between(0.25, 0.45));
    const double eaves = random.between(-0.02, 0.14);
    const double spire = random.between(-1.02, -0.86);
    // Nave to the right, tower to the left.
    painter.fill(box(-0.25, eaves, 0.98, 0.95), Paint(wall.darker(0.02), wall.darker(0.25)));
    painter.fill({{-0.3, eaves + 0.02}, {-0.1, eaves - 0.4}, {0.86, eaves - 0.4}, {1.05, eaves + 0.02}},
                 Paint(roof.lighter(0.15), roof.darker(0.2)));
    for (double y = eaves - 0.3; y < eaves; y += 0.1) {
        painter.stroke({{-0.2, y}, {0.96, y}}, 0.01, Paint(roof.darker(0.35), 0.6));
    }
    for (double x = 0.02; x < 0.9; x += 0.26) { // windows with round heads
        painter.fill(box(x, eaves + 0.26, x + 0.12, eaves + 0.6), Paint(glass.lighter(0.2), glass));
        painter.fill(ellipse({x + 0.06, eaves + 0.26}, 0.06, 0.09), Paint(glass.lighter(0.2), glass));
    }
    painter.fill(box(-0.85, -0.38, -0.25, 0.95), Paint(wall.lighter(0.2), wall.darker(0.18)));
    painter.fill({{-0.91, -0.36}, {-0.55, spire}, {-0.19, -0.36}}, Paint(roof.lighter(0.25), roof.darker(0.3)));
    painter.stroke({{-0.55, spire + 0.02}, {-0.55, spire - 0.18}}, 0.03, Paint({60, 52, 40}));
    painter.stroke({{-0.62, spire - 0.1}, {-0.48, spire - 0.1}}, 0.03, Paint({60, 52, 40}));
    if (random.chance(0.6)) {
        painter.fill(ellipse({-0.55, -0.18}, 0.11, 0.11), Paint({245, 240, 225})); // clock
        painter.stroke(ellipse({-0.55, -0.18}, 0.11, 0.11), 0.02, Paint({60, 52, 40}), true);
        painter.stroke({{-0.55, -0.18}, {-0.55, -0.26}}, 0.015, Paint({40, 36, 30}));
        painter.stroke({{-0.55, -0.18}, {-0.49, -0.15}}, 0.015, Paint({40, 36, 30}));
    } else {
        painter.fill(box(-0.62, -0.2, -0.48, 0.02), Paint(glass.darker(0.3)));
        painter.fill(ellipse({-0.55, -0.2}, 0.07, 0.08), Paint(glass.darker(0.3)));
    }
    const Colour door = colourOf(random.between(0.02, 0.1), 0.6, 0.35);
    painter.fill(box(-0.67, 0.56, -0.43, 0.95), Paint(door.lighter(0.1), door.darker(0.2)));
    painter.fill(ellipse({-0.55, 0.56}, 0.12, 0.13), Paint(door.lighter(0.1), door));
    painter.fill(ellipse({-0.55, 0.28}, 0.09, 0.09), Paint(glass.lighter(0.3), glass)); // rose window
    if (brick) {
        for (double y = eaves + 0.1; y < 0.93; y += 0.11) {
            painter.stroke({{-0.83, y}, {-0.7, y}}, 0.01, Paint(wall.darker(0.3), 0.6));
            painter.stroke({{0.84, y}, {0.96, y}}, 0.01, Paint(wall.darker(0.3), 0.6));
        }
    }
}

void drawParachute(Painter& painter, Random& random) {
    const Colour first = colourOf(random.between(0, 1), random.between(0.6, 0.95), random.between(0.7, 0.98));
    const Colour second = random.chance(0.6) ? Colour{244, 242, 238} : colourOf(random.between(0, 1), 0.8, 0.9);
    const double drop = random.between(0.42, 0.6);
    const Point person{random.between(-0.08, 0.08), 0.78};
    constexpr int panels = 8;
    // The rim is an arc that sags between the lines; the crown is half an ellipse.
    const auto rim = [&](double share) {
        return Point{-0.95 + 1.9 * share, -0.12 + 0.1 * (1 - 4 * (share - 0.5) * (share - 0.5))};
    };
    for (int i = 0; i <= panels; ++i) {
        painter.stroke({rim(static_cast<double>(i) / panels), {person.x + 0.03 * (i - 4) / 4.0, person.y - 0.12}},
                       0.012, Paint(Colour{70, 70, 74}, 0.85));
    }
    const auto seam = [&](int i) { // from the crown to the rim
        Outline line;
        const Point end = rim(static_cast<double>(i) / panels);
        for (int k = 0; k <= 10; ++k) {
            const double t = 0.25 * k / 10;
            line.push_back({end.x * sineOfTurns(t), end.y - (drop + 0.3 + end.y) * cosineOfTurns(t)});
        }
        return line;
    };
    for (int i = 0; i < panels; ++i) {
        Outline panel = seam(i);
        const Outline other = seam(i + 1);
        const Point middle = rim((i + 0.5) / panels);
        panel.push_back({middle.x, middle.y - 0.07});
        panel.insert(panel.end(), other.rbegin(), other.rend());
        const Colour colour = (i % 2 == 0 ? first : second).darker(0.04 * i);
        painter.fill(panel, Paint(colour.lighter(0.12), colour.darker(0.18)));
    }
    const Colour suit = colourOf(random.between(0, 1), 0.6, random.between(0.25, 0.6));
    painter.stroke({{person.x, person.y - 0.08}, {person.x, person.y + 0.08}}, 0.1, rounded(suit));
    painter.stroke({{person.x - 0.02, person.y + 0.06}, {person.x - 0.07, person.y + 0.24}}, 0.05,
                   Paint(suit.darker(0.3)));
    painter.stroke({{person.x + 0.02, person.y + 0.06}, {person.x + 0.06, person.y + 0.24}}, 0.05,
                   Paint(suit.darker(0.3)));
    painter.stroke(
        {{person.x - 0.12, person.y - 0.2}, {person.x, person.y - 0.06}, {person.x + 0.12, person.y - 0.2}}, 0.035,
        Paint(suit));
    painter.fill(ellipse({person.x, person.y - 0.17}, 0.055, 0.06), rounded({205, 160, 130}));
}

} // namespace halfstep::data
