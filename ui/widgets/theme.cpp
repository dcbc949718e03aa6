#include "ui/widgets/theme.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace halfstep::ui {

Theme themeFor(ThemeKind kind) {
    if (kind == ThemeKind::Dark) {
        return {.kind = kind,
                .window = "#16181d",
                .card = "#1f2228",
                .field = "#292d35",
                .border = "#3a3f49",
                .text = "#e8eaee",
                .mutedText = "#a4abb8",
                .accent = "#7db4f5",
                .accentText = "#10141a",
                .success = "#5fd39a",
                .warning = "#f0b65a",
                .danger = "#ff8f80",
                .gridLine = "#2e323a",
                .shade = "#262a31"};
    }
    return {.kind = kind,
            .window = "#f3f4f7",
            .card = "#ffffff",
            .field = "#ffffff",
            .border = "#d5d9e0",
            .text = "#1b1f26",
            .mutedText = "#5b6472",
            .accent = "#1f5fbf",
            .accentText = "#ffffff",
            .success = "#0b6e43",
            .warning = "#8a5300",
            .danger = "#b3261e",
            .gridLine = "#e6e9ee",
            .shade = "#eef0f4"};
}

Theme exportTheme() {
    Theme theme = themeFor(ThemeKind::Light);
    theme.window = theme.card = Qt::white;
    return theme;
}

QPalette paletteFor(const Theme& theme) {
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.field);
    palette.setColor(QPalette::AlternateBase, theme.shade);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.mutedText);
    palette.setColor(QPalette::Button, theme.kind == ThemeKind::Dark ? theme.field : theme.card);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.danger);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.accentText);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::LinkVisited, theme.accent);
    palette.setColor(QPalette::ToolTipBase, theme.card);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Mid, theme.border);
    palette.setColor(QPalette::Midlight, theme.border);
    palette.setColor(QPalette::Light, theme.kind == ThemeKind::Dark ? theme.border : theme.card);
    palette.setColor(QPalette::Dark, theme.mutedText);
    palette.setColor(QPalette::Shadow, theme.window.darker(130));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, theme.mutedText);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, theme.border);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, theme.mutedText);
    return palette;
}

QColor colourOf(precision::Policy policy) {
    switch (policy) {
    case precision::Policy::Float32:
        return "#0072B2";
    case precision::Policy::MixedFloat16:
        return "#D55E00";
    case precision::Policy::MixedBFloat16:
        return "#009E73";
    case precision::Policy::Float16:
        return "#CC79A7";
    case precision::Policy::BFloat16:
        return "#E69F00";
    }
    return {};
}

Marker markerOf(precision::Policy policy) {
    switch (policy) {
    case precision::Policy::Float32:
        return Marker::Circle;
    case precision::Policy::MixedFloat16:
        return Marker::Square;
    case precision::Policy::MixedBFloat16:
        return Marker::Triangle;
    case precision::Policy::Float16:
        return Marker::Cross;
    case precision::Policy::BFloat16:
        return Marker::Plus;
    }
    return Marker::Circle;
}

QColor edgeOf(const QColor& colour) {
    constexpr double enough = 3; // as the guidelines ask of marks
    return contrast(colour, Qt::white) >= enough ? colour : colour.darker(150);
}

double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& colour) {
        const auto linear = [](double channel) {
            return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
    };
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

} // namespace halfstep::ui
