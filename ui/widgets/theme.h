#pragma once
#include "engine/precision/policy.h"
#include <QColor>
#include <QPalette>
#include <QString>

namespace halfstep::ui {

/// The distance everything is a multiple of, in pixels.
inline constexpr int kGrid = 8;

enum class ThemeKind { Light, Dark };

/// The colours of the window. Text roles have a contrast of at least 4.5 on `window`, `card` and `field`; lines and
/// marks at least 3.
struct Theme {
    ThemeKind kind = ThemeKind::Light;
    QColor window; ///< behind everything
    QColor card;   ///< cards, tables, charts
    QColor field;  ///< where one types
    QColor border; ///< hairlines around cards and fields
    QColor text;
    QColor mutedText;  ///< captions, units, hints
    QColor accent;     ///< the one accent: primary button, selection, focus
    QColor accentText; ///< on accent
    QColor success;    ///< text and marks
    QColor warning;    ///< text and marks
    QColor danger;     ///< text and marks
    QColor gridLine;   ///< of charts
    QColor shade;      ///< warm-up, hover, alternate rows
};

Theme themeFor(ThemeKind kind);
/// What exports are drawn with, whatever the window shows: light, on white.
Theme exportTheme();

QPalette paletteFor(const Theme& theme);
/// The application's style sheet; few rules, the rest is Fusion with the palette. Properties it knows:
/// QPushButton[primary=true], QLabel[role="title"|"caption"|"value"|"danger"|"warning"|"success"].
QString styleSheetFor(const Theme& theme);

/// Marks of a policy's points; with the colour they belong to the policy everywhere, also in exports.
enum class Marker { Circle, Square, Triangle, Cross, Plus };

/// Okabe and Ito's colours, told apart by colour-blind people too. For lines, bars and marks; never for text.
QColor colourOf(precision::Policy policy);
Marker markerOf(precision::Policy policy);
/// Around a mark in this colour: the colour itself, or a darker one where it is too pale for white paper.
QColor edgeOf(const QColor& colour);

/// WCAG 2 contrast ratio of two opaque colours, 1 to 21.
double contrast(const QColor& a, const QColor& b);

} // namespace halfstep::ui
