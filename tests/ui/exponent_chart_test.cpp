#include "tests/ui/fake_numerics.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/exponent_chart.h"
#include <QAreaSeries>
#include <QChart>
#include <QFile>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

using namespace halfstep;
using namespace halfstep::ui;

namespace {

QByteArray contentOf(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

ExponentBars someBars() {
    const values::TensorNumerics tensor = tests::fakeTensor("conv2d", "kernel gradient", values::TensorRole::Gradient,
                                                            {{-30, 1}, {-20, 3}, {0, 4}, {17, 2}});
    return {.histogram = tensor.histogram,
            .elements = tensor.elements,
            .from = -40,
            .to = 20,
            .colour = "#D55E00",
            .caption = "conv2d · kernel gradient, step 1"};
}

class ExponentChartTest : public testing::Test {
protected:
    ExponentChartTest() : chart("Exponents", nullptr) {
        chart.setTheme(themeFor(ThemeKind::Dark));
        chart.resize(400, 320);
    }
    bool reads(const QString& text) const {
        const auto labels = chart.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel* label) { return label->text().replace(QChar(0x202F), ' ') == text; });
    }
    QTemporaryDir folder;
    ExponentChart chart;
};

TEST_F(ExponentChartTest, ItsNumbersSayWhatTheFormatMakesOfThem) {
    EXPECT_TRUE(chart.isEmpty());
    ExponentBars bars = someBars();
    bars.histogram.at(-21) = 0;
    chart.setBars(bars);
    const QStringList lines = chart.csv().split('\n');
    EXPECT_EQ(lines.size(), 1 + (17 + 30 + 1) + 1);
    EXPECT_EQ(lines[0], "exponent,count,share,float16");
    EXPECT_EQ(lines[1], "-30,1,0.1,zero");
    EXPECT_EQ(lines[11], "-20,3,0.3,subnormal");
    EXPECT_EQ(lines[31], "0,4,0.4,normal");
    EXPECT_EQ(lines[48], "17,2,0.2,overflow");
}

TEST_F(ExponentChartTest, AShiftMovesTheBarsUnderTheRangeOfTheFormat) {
    ExponentBars bars = someBars();
    bars.shift = 10;
    bars.format = precision::kFloat8E4M3;
    chart.setBars(bars);
    const QStringList lines = chart.csv().split('\n');
    EXPECT_EQ(lines[0], "exponent,count,share,float8_e4m3");
    EXPECT_EQ(lines[1], "-20,1,0.1,zero");
    EXPECT_EQ(lines[31], "10,4,0.4,overflow");
}

TEST_F(ExponentChartTest, IsExportedWithItsLegendAndWhatItShows) {
    chart.setBars(someBars());
    for (const char* ending : {"png", "svg", "pdf", "csv"}) {
        EXPECT_EQ(exportChart(chart, folder.filePath(QStringLiteral("e.") + ending)), QString()) << ending;
    }
    const QByteArray svg = contentOf(folder.filePath("e.svg"));
    for (const char* text : {"becomes 0", "subnormal", "overflow", "kernel gradient, step 1"}) {
        EXPECT_TRUE(svg.contains(text)) << text;
    }
}

TEST_F(ExponentChartTest, ATensorOfZerosIsDrawnWithoutAFault) {
    ExponentBars bars = someBars();
    bars.histogram = {.zeros = 10};
    chart.setBars(bars);
    EXPECT_EQ(chart.csv(), "exponent,count,share,float16\n");
    EXPECT_EQ(exportChart(chart, folder.filePath("zeros.png")), QString());
}

TEST_F(ExponentChartTest, TheArrowKeysReadBarByBar) {
    chart.setBars(someBars());
    chart.show();
    auto* view = chart.findChild<ChartView*>();
    QTest::keyClick(view, Qt::Key_Left);
    EXPECT_TRUE(reads(QStringLiteral("2¹⁷: 20 %, overflow")));
    QTest::keyClick(view, Qt::Key_Left);
    EXPECT_TRUE(reads(QStringLiteral("2¹⁶: 0 %, overflow")));
    QTest::keyClick(view, Qt::Key_Plus); // zooming keeps the reading
    EXPECT_TRUE(reads(QStringLiteral("2¹⁶: 0 %, overflow")));
}

TEST(CurveChart, CrossesAndPlusesAreInPicturesAndDrawings) {
    CurveChart chart("Loss", {.title = "step", .column = "step"}, {.title = "loss", .column = "loss"}, nullptr);
    chart.setCurves({{.name = "validation",
                      .column = "val_loss",
                      .colour = colourOf(precision::Policy::BFloat16),
                      .style = CurveStyle::Points,
                      .marker = Marker::Plus}});
    chart.setPoints(0, {{1, 2}, {2, 1}, {3, 1.5}});
    const QTemporaryDir folder;
    ASSERT_EQ(exportChart(chart, folder.filePath("loss.svg")), QString());
    EXPECT_EQ(contentOf(folder.filePath("loss.svg")).count("<image"), 4) << "three points and the legend";
}

} // namespace
