#include "engine/report/html_report.h"
#include "tests/engine/report/made_sweep.h"
#include "ui/report/inline_svg.h"
#include "ui/report/report_charts.h"
#include <QRegularExpression>
#include <QSet>
#include <QSvgRenderer>
#include <QXmlStreamReader>
#include <gmock/gmock.h>

namespace halfstep::ui {
namespace {
using precision::Policy;

/// What a drawing is made of; fails if it is not well-formed.
struct Content {
    QStringList texts, ids, references;
    qsizetype shapes = 0;
};

Content contentOf(const std::string& svg) {
    Content content;
    QXmlStreamReader reader(QByteArray::fromStdString(svg));
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement()) {
            const auto name = reader.name();
            content.shapes += name == QLatin1String("path") || name == QLatin1String("polyline") ||
                              name == QLatin1String("rect") || name == QLatin1String("polygon");
            for (const QXmlStreamAttribute& attribute : reader.attributes()) {
                const QString value = attribute.value().toString();
                if (attribute.name() == QLatin1String("id")) {
                    content.ids << value;
                }
                if (attribute.name() == QLatin1String("href") || attribute.name() == QLatin1String("src") ||
                    value.contains(QLatin1String("url("))) {
                    content.references << value;
                }
            }
        } else if (reader.isCharacters() && !reader.isWhitespace()) {
            content.texts << reader.text().trimmed().toString();
        }
    }
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    return content;
}

values::Sweep twelveCells() {
    values::Sweep sweep = report::madeSweep();
    sweep.cells.clear();
    for (const int batch : {8, 16, 32, 64}) {
        for (const Policy policy : {Policy::Float32, Policy::MixedFloat16, Policy::MixedBFloat16}) {
            sweep.cells.push_back(report::timedCell(policy, batch, 3.0 * batch));
        }
    }
    return sweep;
}

/// Epochs of 100 steps.
report::RunRecord longRun(int steps) {
    report::RunRecord run = report::madeRun();
    run.steps.clear();
    for (int step = 1; step <= steps; ++step) {
        run.steps.push_back({.step = step,
                             .epoch = 1 + (step - 1) / 100,
                             .batchSize = 16,
                             .loss = 2.0 / step + 0.1 * (step % 7),
                             .accuracy = 0.5,
                             .stepMilliseconds = 12});
    }
    return run;
}

TEST(ReportCharts, ASweepHasBarsAndCurvesWithLegendAndUnits) {
    const values::Sweep sweep = twelveCells();
    const auto drawings = reportCharts().ofSweep(sweep, analysis::figuresOf(sweep), 0);
    ASSERT_EQ(drawings.size(), 4U);
    const char* const units[] = {"ms / step", "ms / step", "images / s", "MB"};
    for (std::size_t i = 0; i < drawings.size(); ++i) {
        const Content content = contentOf(drawings[i].svg);
        EXPECT_TRUE(content.texts.contains(QString::fromStdString(drawings[i].title))) << drawings[i].title;
        EXPECT_TRUE(content.texts.contains(QLatin1String(units[i]))) << units[i];
        EXPECT_TRUE(content.texts.contains(QLatin1String("mixed_bfloat16")));
        EXPECT_GT(content.shapes, 10);
        EXPECT_TRUE(content.references.isEmpty()) << content.references.join(' ').toStdString();
        QSvgRenderer renderer(QByteArray::fromStdString(drawings[i].svg));
        EXPECT_TRUE(renderer.isValid());
        EXPECT_EQ(renderer.viewBox().size(), QSize(640, 400));
    }
    EXPECT_TRUE(contentOf(drawings[0].svg).texts.contains(QLatin1String("batch 64")));
}

TEST(ReportCharts, ASweepWithoutAMeasuredCellHasNone) {
    values::Sweep sweep = report::madeSweep();
    for (values::SweepCell& cell : sweep.cells) {
        cell.rounds.clear();
    }
    EXPECT_TRUE(reportCharts().ofSweep(sweep, analysis::figuresOf(sweep), 0).empty());
    report::RunRecord run = report::madeRun();
    run.steps.clear();
    EXPECT_TRUE(reportCharts().ofRun(run, 0).empty());
    EXPECT_TRUE(reportCharts().ofRuns({run, run}).empty());
}

TEST(ReportCharts, ARunHasLossAndAccuracy) {
    const auto drawings = reportCharts().ofRun(report::madeRun(), 0);
    ASSERT_EQ(drawings.size(), 2U);
    EXPECT_TRUE(contentOf(drawings[0].svg).texts.contains(QLatin1String("loss")));
    EXPECT_TRUE(contentOf(drawings[1].svg).texts.contains(QLatin1String("accuracy")));
    EXPECT_TRUE(contentOf(drawings[1].svg).texts.contains(QLatin1String("validation")));
    EXPECT_EQ(reportCharts().ofRuns({report::madeRun(), longRun(50)}).size(), 3U);
}

TEST(ReportCharts, NoIdStandsTwiceInAPageAndNoneIsDangling) {
    const values::Sweep sweep = twelveCells();
    const report::ChartDrawers charts = reportCharts();
    const report::SweepFigures figures = analysis::figuresOf(sweep);
    QSet<QString> ids;
    for (std::size_t index : {0U, 1U}) {
        for (const auto& list : {charts.ofSweep(sweep, figures, index), charts.ofRun(longRun(50), index)}) {
            for (const report::Drawing& drawing : list) {
                for (const QString& id : contentOf(drawing.svg).ids) {
                    EXPECT_FALSE(ids.contains(id)) << id.toStdString();
                    ids.insert(id);
                }
            }
        }
    }
}

TEST(ReportCharts, AReportOfTwelveCellsOrALongRunStaysSmall) {
    const report::ChartDrawers charts = reportCharts();
    const std::string sweep = report::htmlReport({.sweeps = {twelveCells()}}, charts);
    EXPECT_LT(sweep.size(), 500'000U);
    const std::string run = report::htmlReport({.runs = {longRun(50'000)}}, charts);
    EXPECT_LT(run.size(), 2'000'000U);
    for (const std::string& html : {sweep, run}) {
        QString text = QString::fromStdString(html);
        text.remove(QRegularExpression(QStringLiteral(" xmlns(:xlink)?=\"http://www\\.w3\\.org/[^\"]*\"")));
        EXPECT_FALSE(text.contains(QLatin1String("http:"))) << "nothing is fetched";
        EXPECT_FALSE(text.contains(QLatin1String("https:")));
    }
}

TEST(InlineSvg, IdsAndReferencesHaveThePrefixAndColoursStay) {
    const QByteArray svg = "<?xml version=\"1.0\"?><!DOCTYPE svg><svg xmlns=\"http://www.w3.org/2000/svg\" "
                           "xmlns:xlink=\"http://www.w3.org/1999/xlink\"><title>t</title><desc>d</desc>"
                           "<defs><linearGradient id=\"a\"/></defs><g/><g><g fill=\"#abcdef\"/></g>"
                           "<g fill=\"url(#a)\"><use xlink:href=\"#a\"/></g>"
                           "<path d=\"M1.23456,2.5 L-3.999999,4\"/><text>x &lt; y</text></svg>";
    EXPECT_EQ(inlineSvg(svg, QStringLiteral("s0-")).toStdString(),
              "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">"
              "<defs><linearGradient id=\"s0-a\"/></defs>"
              "<g fill=\"url(#s0-a)\"><use xlink:href=\"#s0-a\"/></g>"
              "<path d=\"M1.23,2.5 L-4,4\"/><text>x &lt; y</text></svg>");
    EXPECT_TRUE(inlineSvg("<svg><g></svg>", QStringLiteral("x-")).isEmpty());
}

} // namespace
} // namespace halfstep::ui
