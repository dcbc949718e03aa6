#include "engine/data/sample/things.h"

namespace halfstep::data {

void drawCassettePlayer(Painter& painter, Random& random) {
    const bool bright = random.chance(0.4);
    const Colour shell = bright ? colourOf(random.between(0, 1), random.between(0.5, 0.8), random.between(0.6, 0.9))
                                : colourOf(0.6, 0.06, random.between(0.2, 0.75));
    const Colour trim = random.chance(0.5) ? Colour{205, 205, 210} : Colour{42, 42, 46};
    const double h = random.between(0.5, 0.62);
    painter.stroke({{-0.7, -h}, {-0.7, -h - 0.2}, {0.7, -h - 0.2}, {0.7, -h}}, 0.07, rounded(trim.darker(0.1)));
    painter.fill(roundedBox(-1, -h, 1, h, 0.09), rounded(shell));
    painter.fill(roundedBox(-0.95, -h + 0.05, 0.95, -h + 0.2, 0.04), Paint(trim, trim.darker(0.2)));
    for (double x = -0.88; x < 0.1; x += 0.16) { // keys
        painter.fill(roundedBox(x, -h - 0.05, x + 0.13, -h + 0.03, 0.02), Paint(trim.lighter(0.3), trim.darker(0.3)));
    }
    painter.fill(box(0.3, -h + 0.08, 0.88, -h + 0.16), Paint({235, 225, 180})); // tuning scale
    painter.stroke({{random.between(0.35, 0.8), -h + 0.07}, {random.between(0.35, 0.8), -h + 0.17}}, 0.015,
                   Paint({200, 30, 30}));
    for (const double x : {-0.66, 0.66}) { // speakers
        painter.fill(ellipse({x, 0.14}, 0.29, 0.29), Paint(trim.lighter(0.15), trim.darker(0.25)));
        painter.fill(ellipse({x, 0.14}, 0.25, 0.25), Paint({28, 28, 30}, {60, 60, 64}));
        for (const double r : {0.19, 0.13}) {
            painter.stroke(ellipse({x, 0.14}, r, r), 0.012, Paint({95, 95, 100}));
        }
        painter.fill(ellipse({x, 0.14}, 0.08, 0.08), Paint({150, 150, 155}, {50, 50, 55}));
    }
    painter.fill(roundedBox(-0.32, -0.16, 0.32, 0.36, 0.03), Paint({25, 25, 28}, {62, 62, 66})); // the lid
    const Colour tape = colourOf(random.between(0, 1), random.between(0.2, 0.6), 0.85);
    painter.fill(roundedBox(-0.25, -0.06, 0.25, 0.26, 0.02), Paint(tape.lighter(0.3), tape));
    painter.fill(roundedBox(-0.18, 0.05, 0.18, 0.17, 0.05), Paint({40, 36, 34}));
    for (const double x : {-0.1, 0.1}) {
        painter.fill(ellipse({x, 0.11}, 0.05, 0.05), Paint({240, 240, 240}));
        painter.fill(ellipse({x, 0.11}, 0.022, 0.022), Paint({60, 60, 60}));
    }
    painter.stroke({{-0.2, 0.0}, {0.2, 0.0}}, 0.012, Paint({90, 90, 100}));
}

void drawChainSaw(Painter& painter, Random& random) {
    const Colour shell = random.chance(0.7) ? colourOf(random.between(0.0, 0.09), random.between(0.8, 0.95),
                                                       random.between(0.75, 0.95))
                                            : colourOf(random.between(0.13, 0.6), 0.7, random.between(0.5, 0.85));
    const Colour black{38, 38, 40};
    const Colour steel{188, 192, 198};
    const double length = random.between(0.9, 1.05);
    // Bar and chain, pointing to the right.
    painter.fill(
        smoothClosed({{0.0, -0.05}, {length - 0.12, -0.03}, {length, 0.06}, {length - 0.12, 0.15}, {0.0, 0.19}}),
        Paint(steel.lighter(0.3), steel.darker(0.25)));
    for (double x = 0.06; x < length - 0.06; x += 0.075) {
        painter.fill(box(x, -0.085, x + 0.04, -0.03), Paint(black));
        painter.fill(box(x, 0.16, x + 0.04, 0.215), Paint(black));
    }
    painter.stroke({{0.15, 0.07}, {length - 0.2, 0.06}}, 0.02, Paint(steel.darker(0.4)));
    // Rear handle, body, front handle and guard.
    painter.stroke(smoothOpen({{-0.5, -0.2}, {-0.78, -0.22}, {-1.0, -0.05}, {-0.94, 0.2}, {-0.5, 0.26}}), 0.11,
                   rounded(black));
    painter.fill(
        smoothClosed(
            {{-0.62, -0.24}, {-0.2, -0.34}, {0.12, -0.24}, {0.2, 0.02}, {0.16, 0.3}, {-0.3, 0.36}, {-0.62, 0.28}}),
        rounded(shell));
    painter.fill(roundedBox(-0.56, 0.02, -0.04, 0.28, 0.06), Paint(black.lighter(0.15), black));
    for (double x = -0.5; x < -0.1; x += 0.08) { // cooling slots
        painter.stroke({{x, 0.08}, {x + 0.04, 0.22}}, 0.02, Paint(shell.lighter(0.1)));
    }
    painter.fill(ellipse({0.06, 0.06}, 0.1, 0.1), Paint(steel, black));
    painter.stroke(smoothOpen({{-0.36, -0.28}, {-0.34, -0.6}, {-0.1, -0.66}, {0.08, -0.5}, {0.08, -0.26}}), 0.085,
                   rounded(black));
    painter.fill(smoothClosed({{0.1, -0.52}, {0.22, -0.56}, {0.28, -0.2}, {0.16, -0.2}}), rounded(black));
    painter.stroke({{-0.42, -0.12}, {-0.06, -0.16}}, 0.05, Paint(Colour{245, 245, 245}, 0.85)); // the maker's name
}

void drawGasPump(Painter& painter, Random& random) {
    const Colour shell = colourOf(random.between(0, 1), random.between(0.55, 0.9), random.between(0.55, 0.9));
    const Colour white{240, 240, 236};
    const bool old = random.chance(0.4);
    const double w = random.between(0.36, 0.44);
    painter.fill(box(-w - 0.12, 0.88, w + 0.12, 1.0), rounded({150, 148, 144}));
    if (old) { // a globe on top
        painter.fill(ellipse({0, -0.86}, 0.2, 0.17), Paint(white, white.darker(0.15)));
        painter.stroke(ellipse({0, -0.86}, 0.2, 0.17), 0.035, Paint(shell.darker(0.2)), true);
        painter.fill(roundedBox(-w, -0.7, w, 0.9, 0.12), rounded(shell));
    } else {
        painter.fill(roundedBox(-w - 0.04, -1.0, w + 0.04, -0.72, 0.05), rounded(shell.darker(0.1)));
        painter.fill(box(-w, -0.74, w, 0.9), Paint(white, white.darker(0.25)));
        painter.fill(box(-w, 0.1, w, 0.9), rounded(shell));
    }
    painter.fill(roundedBox(-w + 0.07, -0.6, w - 0.07, -0.16, 0.04), Paint({30, 34, 38}, {70, 78, 84})); // display
    for (int row = 0; row < 3; ++row) {
        const double y = -0.55 + 0.13 * row;
        painter.fill(box(-w + 0.12, y, w - 0.12, y + 0.085), Paint({196, 208, 180}, {160, 174, 150}));
        for (double x = -w + 0.15; x < w - 0.18; x += 0.1) {
            painter.stroke({{x, y + 0.015}, {x + 0.05, y + 0.015}, {x + 0.02, y + 0.07}}, 0.016, Paint({30, 34, 30}));
        }
    }
    painter.fill(roundedBox(-w + 0.1, -0.04, w - 0.1, 0.16, 0.03), Paint(white.darker(0.05), white.darker(0.2)));
    painter.stroke({{-w + 0.16, 0.06}, {w - 0.16, 0.06}}, 0.06, Paint(shell.darker(0.15)));
    painter.fill(roundedBox(-w + 0.12, 0.34, w - 0.12, 0.78, 0.03), Paint(shell.darker(0.12), shell.darker(0.28)));
    // Hose in a loop at the side, nozzle in its holder.
    const double reach = w + random.between(0.34, 0.48);
    painter.stroke(
        smoothOpen(
            {{w, -0.4}, {w + 0.16, -0.5}, {reach, -0.1}, {reach - 0.05, 0.5}, {w + 0.12, 0.56}, {w + 0.1, 0.1}}),
        0.055, rounded({34, 34, 36}));
    painter.fill(roundedBox(w + 0.0, -0.16, w + 0.2, 0.14, 0.04), Paint(shell.darker(0.2), {40, 40, 44}));
    painter.stroke({{w + 0.08, -0.1}, {w + 0.1, -0.3}, {w - 0.04, -0.36}}, 0.045,
                   Paint({205, 208, 212}, {120, 124, 130}));
}

} // namespace halfstep::data
