#include "ui/bridge/training_session.h"
#include "ui/charts/curve_chart.h"
#include "ui/pages/live_page.h"
#include "ui/widgets/metric_card.h"
#include <QLabel>
#include <QTemporaryDir>
#include <cmath>
#include <gtest/gtest.h>

using namespace halfstep;
using namespace halfstep::ui;

namespace {

class LivePageTest : public testing::Test {
protected:
    LivePageTest() : page(contextIn(folder)) {
        page.setTheme(themeFor(ThemeKind::Light));
        page.resize(976, 720);
        page.show();
    }
    static AppContext contextIn(const QTemporaryDir& folder) {
        AppContext context;
        context.places.cacheFolder = folder.filePath("cache").toStdString();
        return context;
    }
    void begin(precision::Policy policy) {
        values::ExperimentConfig config;
        config.policy = policy;
        page.begin(config);
    }
    MetricCard* card(const QString& name) const {
        for (auto* card : page.findChildren<MetricCard*>()) {
            if (card->accessibleName().startsWith(name)) {
                return card;
            }
        }
        return nullptr;
    }

    QTemporaryDir folder;
    LivePage page;
};

constexpr std::size_t kSkipped = 3;

TEST_F(LivePageTest, SkippedStepsAreMarkedOnTheLoss) {
    begin(precision::Policy::MixedFloat16);
    page.apply({values::StepRecord{.step = 1, .loss = 2, .lossScale = 32768},
                values::StepRecord{.step = 2, .loss = 1.5, .lossScale = 32768, .skipped = true},
                values::StepRecord{.step = 3, .loss = std::nan(""), .lossScale = 16384, .skipped = true}});
    const CurveChart& loss = *page.lossChart();
    ASSERT_GT(loss.curveCount(), kSkipped);
    const auto marks = loss.points(kSkipped);
    ASSERT_EQ(marks.size(), 2U);
    EXPECT_EQ(marks[0], QPointF(2, 1.5));
    EXPECT_EQ(marks[1].x(), 3);
    EXPECT_TRUE(std::isfinite(marks[1].y())) << "where the loss itself is not, the last average";
    EXPECT_EQ(loss.notDrawn(), 1U) << "the loss that is not finite, once";
    EXPECT_EQ(card("loss scale")->detail(), "2 skipped");
}

TEST_F(LivePageTest, ARunWithoutLossScalingHasNoSkippedSteps) {
    begin(precision::Policy::Float32);
    EXPECT_EQ(page.lossChart()->curveCount(), kSkipped);
    EXPECT_EQ(card("loss scale")->detail(), "not used");
}

TEST_F(LivePageTest, TheRemarkNamesTheFirstTensorThatIsNotFinite) {
    begin(precision::Policy::MixedFloat16);
    page.apply({values::Notice{values::Severity::Warning,
                               "Step 2 was skipped: the first non-finite tensor is the conv2d_2 kernel gradient "
                               "(backward); the loss scale goes from 32768 to 16384."}});
    EXPECT_TRUE(page.lastRemark().contains("conv2d_2 kernel gradient (backward)"));
    const auto labels = page.findChildren<QLabel*>();
    const auto* remark = *std::find_if(labels.begin(), labels.end(),
                                       [&](const QLabel* label) { return label->text() == page.lastRemark(); });
    EXPECT_EQ(remark->toolTip(), page.lastRemark()) << "all of it, should the line be too short";
}

TEST_F(LivePageTest, OnlyRunsWithNarrowWeightsLoseUpdates) {
    begin(precision::Policy::MixedFloat16);
    EXPECT_FALSE(card("updates lost")->isVisible());
    begin(precision::Policy::BFloat16);
    EXPECT_TRUE(card("updates lost")->isVisible());
    const int width = card("updates lost")->width();
    page.apply({values::StepRecord{.step = 1, .loss = 2, .lostUpdates = 0.634}});
    EXPECT_EQ(card("updates lost")->value().left(2), "63");
    EXPECT_EQ(card("updates lost")->width(), width);
}

} // namespace
