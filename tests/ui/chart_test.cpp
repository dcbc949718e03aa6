#include "ui/charts/axis_ticks.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/curve_chart.h"
#include <QChart>
#include <QFile>
#include <QImage>
#include <QLocale>
#include <QRect>
#include <QTemporaryDir>
#include <QTest>
#include <QXYSeries>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace halfstep;
using namespace halfstep::ui;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

QByteArray contentOf(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

/// The smallest rectangle outside of which the picture is white.
QRect inkOf(const QImage& picture) {
    QRect ink;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            if (picture.pixel(x, y) != qRgb(255, 255, 255)) {
                ink |= QRect(x, y, 1, 1);
            }
        }
    }
    return ink;
}

class CurveChartTest : public testing::Test {
protected:
    CurveChartTest()
        : chart("Loss", {.title = "step", .column = "step"}, {.title = "loss", .column = "loss"}, nullptr) {
        chart.setCurves(
            {{.name = "each step", .column = "loss", .colour = "#D55E00", .style = CurveStyle::Thin},
             {.name = "validation", .column = "val_loss", .colour = "#D55E00", .style = CurveStyle::Points}});
        chart.setTheme(themeFor(ThemeKind::Light));
        chart.resize(480, 280);
    }
    /// Everything that lines of more than one point draw.
    static std::size_t drawnPoints(const QChart& drawing) {
        std::size_t points = 0;
        for (const QAbstractSeries* series : drawing.series()) {
            if (const auto* line = qobject_cast<const QXYSeries*>(series); line != nullptr) {
                points += static_cast<std::size_t>(line->count());
            }
        }
        return points;
    }

    QTemporaryDir folder;
    CurveChart chart;
};

TEST_F(CurveChartTest, AnyNumberOfPointsIsDrawnAsAtMostAThousandAndKeepsItsSpike) {
    std::vector<QPointF> points;
    for (int i = 0; i < 50'000; ++i) {
        points.emplace_back(i, i == 31'415 ? 9.0 : 1.0);
    }
    chart.setPoints(0, points);
    chart.refresh();
    const auto drawing = chart.drawing(exportTheme());
    EXPECT_LE(drawnPoints(*drawing), kDrawnPoints);
    bool spike = false;
    for (const QAbstractSeries* series : drawing->series()) {
        if (const auto* line = qobject_cast<const QXYSeries*>(series); line != nullptr) {
            spike = spike || line->points().contains(QPointF(31'415, 9.0));
        }
    }
    EXPECT_TRUE(spike);
}

TEST_F(CurveChartTest, PointsThatAreNotFiniteAreGapsAndAreCounted) {
    chart.setPoints(0, {{1, 2}, {2, 1.5}, {3, kNan}, {4, std::numeric_limits<double>::infinity()}, {5, 1}, {6, 0.9}});
    chart.refresh();
    EXPECT_EQ(chart.notDrawn(), 2U);
    EXPECT_EQ(drawnPoints(*chart.drawing(exportTheme())), 4U);
}

TEST_F(CurveChartTest, ACurveOfNothingFiniteIsDrawnWithoutAFault) {
    chart.setPoints(0, {{1, kNan}, {2, kNan}});
    chart.refresh();
    EXPECT_EQ(chart.notDrawn(), 2U);
    EXPECT_EQ(exportChart(chart, folder.filePath("nan.png")), QString());
}

TEST_F(CurveChartTest, TheNumbersBehindItHaveAPointInEveryLocale) {
    chart.setPoints(0, {{1, 2.5}, {2, 0.1}, {3, kNan}});
    chart.setPoints(1, {{2, 0.25}});
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    const QString csv = chart.csv();
    QLocale::setDefault(before);
    EXPECT_EQ(csv.toStdString(), "step,loss,val_loss\n1,2.5,\n2,0.1,0.25\n3,nan,\n");
}

TEST_F(CurveChartTest, IsExportedAsPictureDrawingPageAndNumbers) {
    chart.setPoints(0, {{1, 2}, {2, 1}, {3, 0.5}});
    chart.setTheme(themeFor(ThemeKind::Dark));
    for (const char* ending : {"png", "svg", "pdf", "csv"}) {
        EXPECT_EQ(exportChart(chart, folder.filePath(QStringLiteral("loss.") + ending)), QString()) << ending;
    }
    const QImage picture(folder.filePath("loss.png"));
    EXPECT_EQ(picture.size(), kExportSize * 2);
    EXPECT_EQ(picture.pixelColor(2, 2), QColor(Qt::white)) << "exports are light, whatever the window shows";
    EXPECT_GT(inkOf(picture).width(), 0.9 * picture.width()) << "the drawing fills the picture";
    EXPECT_GT(inkOf(picture).height(), 0.9 * picture.height());
    EXPECT_LT(inkOf(picture).right(), picture.width() - 2) << "nothing is cut off";
    EXPECT_TRUE(contentOf(folder.filePath("loss.svg")).contains("<svg"));
    EXPECT_TRUE(contentOf(folder.filePath("loss.svg")).contains("each step")) << "the legend is in it";
    EXPECT_TRUE(contentOf(folder.filePath("loss.pdf")).startsWith("%PDF"));
    EXPECT_EQ(contentOf(folder.filePath("loss.csv")), chart.csv().toUtf8());
}

TEST_F(CurveChartTest, AnExportThatCannotBeWrittenIsASentence) {
    chart.setPoints(0, {{1, 2}});
    EXPECT_TRUE(exportChart(chart, "/no/such/folder/loss.png").contains("could not be written"));
    EXPECT_TRUE(exportChart(chart, folder.filePath("loss.gif")).contains(".png, .svg, .pdf or .csv"));
    EXPECT_FALSE(QFile::exists(folder.filePath("loss.gif")));
}

TEST_F(CurveChartTest, AnEmptyChartIsNotExported) {
    EXPECT_TRUE(exportChart(chart, folder.filePath("loss.png")).contains("no numbers yet"));
    EXPECT_FALSE(QFile::exists(folder.filePath("loss.png")));
}

TEST_F(CurveChartTest, HiddenCurvesComeBack) {
    chart.setPoints(0, {{1, 2}, {2, kNan}});
    chart.setCurveVisible(0, false);
    EXPECT_EQ(chart.notDrawn(), 0U);
    chart.setCurveVisible(0, true);
    EXPECT_EQ(chart.notDrawn(), 1U);
}

TEST(AxisTicks, EndsAndDistancesAreRoundNumbers) {
    const Ticks loss = niceTicks(0, 2.6, 5);
    EXPECT_EQ(loss.from, 0);
    EXPECT_DOUBLE_EQ(loss.interval, 1);
    EXPECT_DOUBLE_EQ(loss.to, 3);
    const Ticks small = niceTicks(0.00031, 0.00057, 5);
    EXPECT_DOUBLE_EQ(small.interval, 0.0001);
    EXPECT_EQ(small.decimals, 4);
}

TEST(AxisTicks, OneValueStandsInTheMiddle) {
    const Ticks one = niceTicks(5, 5, 5);
    EXPECT_LT(one.from, 5);
    EXPECT_GT(one.to, 5);
    EXPECT_GE(niceTicks(0, 3, 6, true).interval, 1);
}

TEST(BarChart, ItsNumbersAreItsBars) {
    BarChart chart("ms / step", "batch size", "ms", "median_ms", nullptr);
    chart.setTheme(themeFor(ThemeKind::Light));
    chart.setBars(
        {{.group = "batch 32", .series = "float32", .colour = "#0072B2", .value = 251.5, .low = 250, .high = 255},
         {.group = "batch, 64", .series = "float32", .colour = "#0072B2", .value = 500}});
    EXPECT_EQ(chart.csv().toStdString(), "group,series,median_ms,low,high\nbatch 32,float32,251.5,250,255\n"
                                         "\"batch, 64\",float32,500,,\n");
    const QTemporaryDir folder;
    EXPECT_EQ(exportChart(chart, folder.filePath("bars.svg")), QString());
}

} // namespace
