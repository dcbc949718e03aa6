#include "ui/widgets/theme.h"
#include <gtest/gtest.h>

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
        EXPECT_GE(contrast(colourOf(policy), themeFor(GetParam()).card), 3.0);
    }
}

INSTANTIATE_TEST_SUITE_P(Themes, EveryTheme, testing::Values(ThemeKind::Light, ThemeKind::Dark));

TEST(Theme, ContrastIsThatOfTheGuidelines) {
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21.0, 1e-6);
    EXPECT_NEAR(contrast("#777777", Qt::white), 4.48, 0.01);
}

TEST(Theme, PoliciesDifferInColourAndInMarker) {
    EXPECT_EQ(colourOf(precision::Policy::Float32), QColor("#0072B2"));
    EXPECT_NE(markerOf(precision::Policy::Float32), markerOf(precision::Policy::MixedFloat16));
    EXPECT_NE(markerOf(precision::Policy::MixedFloat16), markerOf(precision::Policy::MixedBFloat16));
}

} // namespace
