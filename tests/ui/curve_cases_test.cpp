// The curves of cases E02 (with what must come out in curves/expected.json) and E04.
#include "ui/charts/axis_ticks.h"
#include "ui/charts/curve_chart.h"
#include <QAction>
#include <QChart>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLogValueAxis>
#include <QMenu>
#include <QScatterSeries>
#include <QSettings>
#include <QTemporaryDir>
#include <QValueAxis>
#include <QXYSeries>
#include <cmath>
#include <gtest/gtest.h>

using namespace halfstep;
using namespace halfstep::ui;

namespace {

std::vector<QPointF> curveIn(const QString& name) {
    QFile file(QStringLiteral(HALFSTEP_CURVES "/") + name);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name.toStdString();
    std::vector<QPointF> points;
    file.readLine(); // step,loss
    for (QByteArray line = file.readLine().trimmed(); !line.isEmpty(); line = file.readLine().trimmed()) {
        const QList<QByteArray> fields = line.split(',');
        points.emplace_back(fields[0].toDouble(), std::stod(fields[1].toStdString()));
    }
    return points;
}

QJsonObject expected(const QString& name) {
    QFile file(QStringLiteral(HALFSTEP_CURVES "/expected.json"));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    return QJsonDocument::fromJson(file.readAll()).object().value(name).toObject();
}

/// What a drawing shows of its curves.
struct Drawn {
    explicit Drawn(QChart& chart) {
        for (QAbstractSeries* series : chart.series()) {
            auto* points = qobject_cast<QXYSeries*>(series);
            if (points == nullptr) {
                continue;
            }
            const bool dots = qobject_cast<const QScatterSeries*>(series) != nullptr;
            pieces += !dots && points->count() > 0 ? 1 : 0;
            lone += dots ? static_cast<int>(points->count()) : 0;
            for (const QPointF& point : points->points()) {
                drawn += dots ? 0 : 1;
                low = std::min(low, point.y());
                high = std::max(high, point.y());
                const QPointF place = chart.mapToPosition(point, points);
                inFinitePlaces = inFinitePlaces && std::isfinite(place.x()) && std::isfinite(place.y());
            }
        }
        title = chart.axes(Qt::Vertical).first()->titleText();
        if (const auto* linear = qobject_cast<QValueAxis*>(chart.axes(Qt::Vertical).first())) {
            from = linear->min();
            to = linear->max();
            format = linear->labelFormat();
            interval = linear->tickInterval();
        } else if (const auto* log = qobject_cast<QLogValueAxis*>(chart.axes(Qt::Vertical).first())) {
            from = log->min();
            to = log->max();
            ticks = log->tickCount();
        }
    }
    int pieces = 0; ///< of lines
    int drawn = 0;  ///< points of lines
    int lone = 0;   ///< points that stand alone, as dots
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    double from = 0, to = 0, interval = 0;
    int ticks = 0;
    QString format, title;
    bool inFinitePlaces = true;
};

class CurveCases : public testing::Test {
protected:
    CurveCases() : settings(folder.filePath("settings.ini"), QSettings::IniFormat), chart(newChart()) {}

    std::unique_ptr<CurveChart> newChart() {
        auto made = std::make_unique<CurveChart>("Loss", AxisLook{.title = "step", .column = "step"},
                                                 AxisLook{.title = "loss", .column = "loss"}, &settings);
        made->setCurves({{.name = "loss", .column = "loss", .colour = "#D55E00"}});
        made->setTheme(themeFor(ThemeKind::Light));
        made->resize(480, 280);
        return made;
    }
    Drawn draw(const char* name) {
        chart->setPoints(0, curveIn(QLatin1String(name)));
        chart->refresh();
        return drawing();
    }
    Drawn drawing() const {
        const auto made = chart->drawing(exportTheme());
        made->resize(480, 280);
        return Drawn(*made);
    }
    static void expectRange(const Drawn& drawn, const QJsonArray& range) {
        EXPECT_DOUBLE_EQ(drawn.low, range[0].toDouble());
        EXPECT_DOUBLE_EQ(drawn.high, range[1].toDouble());
        EXPECT_LE(drawn.from, drawn.low + 1e-12);
        EXPECT_GE(drawn.to, drawn.high - 1e-12);
        EXPECT_LT(drawn.to - drawn.from, 3 * (drawn.high - drawn.low)) << "the curve fills a good part of the axis";
    }

    QTemporaryDir folder;
    QSettings settings;
    std::unique_ptr<CurveChart> chart;
};

TEST_F(CurveCases, PointsThatAreNotFiniteAreGapsOutsideOfTheScaleAndAreSaid) {
    for (const char* name : {"nan_inside.csv", "inf_inside.csv", "first_is_nan.csv"}) {
        const Drawn drawn = draw(name);
        const QJsonObject wanted = expected(name);
        SCOPED_TRACE(name);
        expectRange(drawn, wanted["data_y_range"].toArray());
        if (wanted.contains("line_pieces")) {
            EXPECT_EQ(drawn.pieces, wanted["line_pieces"].toInt());
            EXPECT_EQ(drawn.drawn, wanted["drawn_points"].toInt());
        }
        EXPECT_GT(chart->notDrawn(), 0U);
        EXPECT_TRUE(chart->reading().contains("not finite and not drawn")) << chart->reading().toStdString();
    }
    draw("nan_inside.csv");
    EXPECT_EQ(chart->reading(), "1 point is not finite and not drawn");
}

TEST_F(CurveCases, APointBetweenTwoGapsIsADot) {
    EXPECT_EQ(draw("inf_inside.csv").lone, 3);
    const Drawn one = draw("one_point.csv");
    EXPECT_EQ(one.lone, 1);
    EXPECT_GT(one.to - one.from, 0.1) << "the axis is not 0 wide";
}

TEST_F(CurveCases, NothingToDrawIsAnEmptyAxisWithANote) {
    const Drawn drawn = draw("all_nan.csv");
    EXPECT_EQ(drawn.drawn, 0);
    EXPECT_GT(drawn.to, drawn.from);
    EXPECT_TRUE(chart->reading().contains("not finite"));
    EXPECT_FALSE(chart->isEmpty());
    draw("empty.csv");
    EXPECT_TRUE(chart->isEmpty());
    bool said = false;
    for (const QLabel* label : chart->findChildren<QLabel*>()) {
        said = said || (label->text() == "No numbers yet" && !label->isHidden());
    }
    EXPECT_TRUE(said);
}

TEST_F(CurveCases, AConstantHasAnAxisThatIsNotZeroWide) {
    const Drawn drawn = draw("constant.csv");
    EXPECT_LT(drawn.from, 0.5);
    EXPECT_GT(drawn.to, 0.5);
}

TEST_F(CurveCases, ALinearAxisHoldsZeroAndNegatives) {
    expectRange(draw("zero_and_negative.csv"), expected("zero_and_negative.csv")["linear_range"].toArray());
    EXPECT_TRUE(chart->reading().isEmpty());
}

TEST_F(CurveCases, ALogarithmicAxisLeavesOutWhatIsNotAboveZeroAndSaysSo) {
    chart->setLogarithmic(true);
    const Drawn drawn = draw("zero_and_negative.csv");
    const QJsonArray range = expected("zero_and_negative.csv")["log_range"].toArray();
    EXPECT_NEAR(drawn.from, range[0].toDouble(), 1e-9);
    EXPECT_NEAR(drawn.to, range[1].toDouble(), 1e-9);
    EXPECT_EQ(drawn.pieces, 2);
    EXPECT_EQ(drawn.drawn, 3);
    EXPECT_EQ(drawn.low, 0.01) << "nothing lies at the floor as if it were real";
    EXPECT_EQ(chart->notAboveZero(), 2U);
    EXPECT_EQ(chart->reading(), "2 points are not above 0, so not on this axis");
}

TEST_F(CurveCases, EveryCurveIsDrawnOnALogarithmicAxisWithoutAFault) {
    chart->setLogarithmic(true);
    for (const char* name : {"nan_inside.csv", "inf_inside.csv", "all_nan.csv", "one_point.csv", "constant.csv",
                             "empty.csv", "huge_spike.csv", "float32_max.csv", "tiny.csv", "first_is_nan.csv"}) {
        const Drawn drawn = draw(name);
        EXPECT_GT(drawn.to, drawn.from) << name;
        EXPECT_TRUE(drawn.inFinitePlaces) << name;
        EXPECT_LE(drawn.ticks, 7) << name << ": labels do not overlap";
    }
}

TEST_F(CurveCases, AHugeSpikeLeavesTheRestReadableOnALogarithmicAxis) {
    chart->setLogarithmic(true);
    const Drawn drawn = draw("huge_spike.csv");
    EXPECT_EQ(drawn.high, 1e30);
    EXPECT_LE(drawn.from, 2.0);
    EXPECT_GE(drawn.to, 1e30);
    EXPECT_LE(drawn.ticks, 7);
}

TEST_F(CurveCases, TheLargestAndTheSmallestNumbersHavePlacesAndLabels) {
    const Drawn large = draw("float32_max.csv");
    EXPECT_TRUE(large.inFinitePlaces);
    EXPECT_EQ(QString::asprintf(qPrintable(large.format), 2e38), "2e+38");
    const Drawn tiny = draw("tiny.csv");
    EXPECT_TRUE(tiny.inFinitePlaces);
    EXPECT_DOUBLE_EQ(tiny.low, 1) << "drawn times a power of ten, which the axis says";
    EXPECT_DOUBLE_EQ(tiny.high, 3);
    EXPECT_EQ(tiny.title, "loss (×1e-40)");
    EXPECT_EQ(draw("constant.csv").title, "loss");
}

TEST_F(CurveCases, TheLogarithmicAxisIsInTheMenuAndRemembered) {
    chart->offerLogarithm("loss");
    EXPECT_FALSE(chart->isLogarithmic());
    auto* menu = chart->findChild<QMenu*>();
    emit menu->aboutToShow();
    QAction* logarithmic = nullptr;
    for (QAction* action : menu->actions()) {
        logarithmic = action->text() == "Logarithmic axis" ? action : logarithmic;
    }
    ASSERT_NE(logarithmic, nullptr);
    logarithmic->trigger();
    EXPECT_TRUE(chart->isLogarithmic());
    chart = newChart();
    chart->offerLogarithm("loss");
    EXPECT_TRUE(chart->isLogarithmic()) << "remembered";
    chart = newChart();
    chart->offerLogarithm("another");
    EXPECT_FALSE(chart->isLogarithmic());
}

TEST_F(CurveCases, OtherAxesKeepTheLogarithm) {
    chart->setLogarithmic(true);
    chart->setAxes({.title = "epoch", .column = "epoch"}, {.title = "loss", .column = "loss"});
    EXPECT_TRUE(chart->isLogarithmic());
}

/// Case E04's curve of n points, as its script makes it.
std::vector<QPointF> longCurve(std::int64_t n) {
    std::vector<QPointF> points;
    points.reserve(static_cast<std::size_t>(n));
    std::uint64_t state = 12345;
    for (std::int64_t i = 1; i <= n; ++i) {
        state = (state * 1103515245 + 12345) & 0x7fffffff;
        const double noise = 0.05 * (static_cast<double>(state) / 0x7fffffff - 0.5);
        const double falling = 2.3 * std::exp(-3.0 * static_cast<double>(i) / static_cast<double>(n));
        points.emplace_back(static_cast<double>(i), i == n * 37 / 100 ? 9.75 : falling + noise);
    }
    return points;
}

TEST_F(CurveCases, TheSpikeOfALongCurveIsDrawnAtItsPlace) {
    for (const bool logarithmic : {false, true}) {
        chart->setLogarithmic(logarithmic);
        for (const std::int64_t n : {1000, 100'000, 1'000'000}) {
            chart->setPoints(0, longCurve(n));
            chart->refresh();
            const auto made = chart->drawing(exportTheme());
            bool spike = false;
            for (const QAbstractSeries* series : made->series()) {
                const auto* line = qobject_cast<const QXYSeries*>(series);
                spike = spike || (line != nullptr &&
                                  line->points().contains(QPointF(static_cast<double>(n * 37 / 100), 9.75)));
            }
            EXPECT_TRUE(spike) << n;
            EXPECT_LE(Drawn(*made).drawn, static_cast<int>(kDrawnPoints));
        }
    }
}

TEST(Decades, AreWholeAndAtMostFiveStepsFromEndToEnd) {
    EXPECT_EQ(decadesAround(0.01, 1).from, 0.01);
    EXPECT_EQ(decadesAround(0.01, 1).to, 1);
    EXPECT_EQ(decadesAround(0.3, 0.3).from, 0.1);
    EXPECT_EQ(decadesAround(0.3, 0.3).to, 1);
    EXPECT_EQ(decadesAround(1, 1).to, 10) << "never 0 wide";
    const Decades wide = decadesAround(2, 1e30);
    EXPECT_LE(std::log10(wide.to / wide.from) / std::log10(wide.base), 5 + 1e-9);
    EXPECT_LE(wide.from, 2);
    EXPECT_GE(wide.to, 1e30);
}

} // namespace
