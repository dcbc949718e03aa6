#include "ui/widgets/policy_mark.h"
#include "ui/widgets/theme.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace halfstep;
using namespace halfstep::ui;

namespace {

class EveryTheme : public testing::TestWithParam<ThemeKind> {};

TEST_P(EveryTheme, TextHasAContrastOfAtLeastFourAndAHalf) {
    const Theme theme = themeFor(GetParam());
    for (const QColor& text : {theme.text, theme.mutedText, theme.danger, theme.warning, theme.success}) {
        for (const QColor& behind : {theme.window, theme.card, theme.field, theme.shade}) {
            EXPECT_GE(contrast(text, behind), 4.5) << text.name().toStdString() << behind.name().toStdString();
        }
    }
    EXPECT_GE(contrast(theme.accentText, theme.accent), 4.5);
}

TEST_P(EveryTheme, PolicyColoursStandOutFromCards) {
    for (const precision::Policy policy : precision::kPolicies) {
        const QColor card = themeFor(GetParam()).card;
        EXPECT_GE(std::max(contrast(colourOf(policy), card), contrast(edgeOf(colourOf(policy)), card)), 3.0)
            << "the mark or its edge";
    }
}

INSTANTIATE_TEST_SUITE_P(Themes, EveryTheme, testing::Values(ThemeKind::Light, ThemeKind::Dark));

TEST(Theme, ContrastIsThatOfTheGuidelines) {
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21.0, 1e-6);
    EXPECT_NEAR(contrast("#777777", Qt::white), 4.48, 0.01);
}

TEST(Theme, PoliciesDifferInColourAndInMarker) {
    EXPECT_EQ(colourOf(precision::Policy::Float32), QColor("#0072B2"));
    EXPECT_EQ(colourOf(precision::Policy::Float16), QColor("#CC79A7"));
    EXPECT_EQ(colourOf(precision::Policy::BFloat16), QColor("#E69F00"));
    std::set<Marker> markers;
    std::set<QRgb> colours;
    for (const precision::Policy policy : precision::kPolicies) {
        markers.insert(markerOf(policy));
        colours.insert(colourOf(policy).rgb());
        EXPECT_FALSE(policyIcon(policy).isNull());
    }
    EXPECT_EQ(markers.size(), precision::kPolicies.size());
    EXPECT_EQ(colours.size(), precision::kPolicies.size());
}

TEST(Theme, EveryMarkIsDrawnInItsColour) {
    for (const Marker marker : {Marker::Circle, Marker::Square, Marker::Triangle, Marker::Cross, Marker::Plus}) {
        const QImage image = markerImage(marker, "#CC79A7", 9);
        EXPECT_EQ(image.pixelColor(image.width() / 2, image.height() / 2), QColor("#CC79A7"));
        EXPECT_EQ(image.pixelColor(0, 0).alpha(), 0) << "clear around it";
    }
}

} // namespace
