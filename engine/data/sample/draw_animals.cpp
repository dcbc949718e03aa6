#include "engine/data/sample/things.h"

namespace halfstep::data {

void drawTench(Painter& painter, Random& random) {
    const Colour body = colourOf(random.between(0.1, 0.24), random.between(0.45, 0.75), random.between(0.4, 0.68));
    const Colour fin = body.darker(random.between(0.25, 0.45));
    const double girth = random.between(0.33, 0.46);
    // Fins first: the body lies over their roots.
    painter.fill(smoothClosed({{0.55, 0}, {0.8, -0.24}, {1.02, -0.36}, {0.94, 0}, {1.02, 0.36}, {0.8, 0.24}}),
                 rounded(fin));
    painter.fill(
        smoothClosed({{-0.2, -girth * 0.8}, {0.0, -girth - 0.24}, {0.28, -girth - 0.12}, {0.34, -girth * 0.6}}),
        rounded(fin));
    painter.fill(smoothClosed({{0.05, girth * 0.8}, {0.14, girth + 0.2}, {0.34, girth + 0.1}, {0.36, girth * 0.6}}),
                 rounded(fin));
    painter.fill(smoothClosed({{-0.95, 0.02},
                               {-0.7, -girth * 0.62},
                               {-0.25, -girth},
                               {0.25, -girth * 0.8},
                               {0.66, -0.13},
                               {0.7, 0.13},
                               {0.25, girth * 0.85},
                               {-0.25, girth},
                               {-0.72, girth * 0.62}}),
                 Paint(body.darker(0.12), body.mixed({225, 200, 110}, 0.75)));
    for (double x = -0.42; x < 0.6; x += 0.13) { // rows of scales
        const double height = girth * (0.85 - 0.7 * (x + 0.1) * (x + 0.1));
        for (double y = -height; y < height; y += 0.13) {
            painter.stroke(arc({x, y}, 0.06, 0.07, -0.25, 0.25), 0.012, Paint(body.darker(0.35), 0.5));
        }
    }
    painter.stroke(arc({-0.62, 0}, 0.13, girth * 0.7, -0.25, 0.25), 0.03, Paint(body.darker(0.4)));
    painter.fill(smoothClosed({{-0.42, 0.06}, {-0.2, 0.16}, {-0.22, 0.3}, {-0.42, 0.16}}), rounded(fin));
    painter.stroke({{-0.94, 0.07}, {-0.82, 0.1}}, 0.025, Paint(body.darker(0.5)));
    painter.fill(ellipse({-0.76, -0.09}, 0.065, 0.065), Paint({214, 120, 40}));
    painter.fill(ellipse({-0.76, -0.09}, 0.035, 0.035), Paint({15, 15, 15}));
    painter.fill(ellipse({-0.775, -0.105}, 0.014, 0.014), Paint({250, 250, 250}));
}

void drawSpringer(Painter& painter, Random& random) {
    const Colour white{238, 234, 226};
    const bool black = random.chance(0.3);
    const Colour patch =
        black ? Colour{48, 42, 40}
              : colourOf(random.between(0.03, 0.07), random.between(0.55, 0.75), random.between(0.35, 0.5));
    const double stride = random.between(-0.1, 0.1);
    const Paint coat(white, white.darker(0.22));
    const Paint dark = rounded(patch);
    // Standing, looking to the left: far legs, tail, body, near legs, head.
    for (const double x : {-0.3 + stride, 0.48 - stride}) {
        painter.stroke({{x, 0.2}, {x + 0.02, 0.6}, {x - 0.03, 0.86}}, 0.13, Paint(white.darker(0.25)));
    }
    painter.stroke(smoothOpen({{0.66, -0.12}, {0.82, -0.22}, {0.95, -0.42 - stride}}), 0.1, dark);
    painter.fill(smoothClosed({{-0.5, -0.05},
                               {-0.3, -0.28},
                               {0.2, -0.24},
                               {0.6, -0.22},
                               {0.74, 0.02},
                               {0.62, 0.28},
                               {0.15, 0.26},
                               {-0.25, 0.38},
                               {-0.46, 0.22}}),
                 coat);
    painter.fill(smoothClosed({{0.0, -0.25}, {0.35, -0.25}, {0.62, -0.2}, {0.5, 0.08}, {0.2, 0.12}, {0.02, -0.02}}),
                 dark);
    painter.fill(smoothClosed({{-0.42, -0.12}, {-0.22, -0.26}, {-0.15, -0.08}, {-0.3, 0.06}}), dark);
    for (const double x : {-0.38 - stride, 0.58 + stride}) {
        painter.stroke({{x, 0.16}, {x + 0.03, 0.58}, {x - 0.02, 0.88}}, 0.14, coat);
        painter.fill(ellipse({x - 0.06, 0.91}, 0.11, 0.06), coat);
    }
    for (double x = -0.26; x < 0.5; x += 0.09) { // feathering under the belly
        painter.stroke({{x, 0.3}, {x + 0.03, 0.42}}, 0.04, Paint(white.darker(0.12)));
    }
    painter.fill(smoothClosed({{-0.6, -0.42}, {-0.36, -0.42}, {-0.24, -0.16}, {-0.36, 0.14}, {-0.52, 0.1}}),
                 coat); // neck
    painter.fill(ellipse({-0.56, -0.5}, 0.24, 0.22), dark);
    painter.fill(smoothClosed({{-0.62, -0.62}, {-0.58, -0.74}, {-0.66, -0.5}, {-0.74, -0.44}}),
                 Paint(white)); // blaze
    painter.fill(
        smoothClosed({{-0.62, -0.5}, {-0.8, -0.5}, {-1.0, -0.42}, {-0.99, -0.28}, {-0.78, -0.27}, {-0.6, -0.32}}),
        coat);
    painter.fill(
        smoothClosed({{-0.5, -0.64}, {-0.36, -0.6}, {-0.26, -0.3}, {-0.32, -0.04}, {-0.46, -0.08}, {-0.52, -0.36}}),
        Paint(patch.lighter(0.08), patch.darker(0.35))); // ear
    painter.fill(ellipse({-0.99, -0.41}, 0.065, 0.055), Paint({25, 20, 20}));
    painter.stroke({{-0.97, -0.3}, {-0.8, -0.32}}, 0.02, Paint({90, 60, 55}));
    painter.fill(ellipse({-0.68, -0.53}, 0.045, 0.045), Paint({30, 18, 12}));
    painter.fill(ellipse({-0.69, -0.545}, 0.014, 0.014), Paint({250, 250, 250}));
    for (int i = 0; i < 8; ++i) { // ticking
        painter.fill(ellipse({random.between(-0.9, -0.7), random.between(-0.42, -0.3)}, 0.014, 0.014), Paint(patch));
    }
}

} // namespace halfstep::data
