#include "app/cli/console_reporter.h"
#include <gmock/gmock.h>
#include <sstream>

namespace halfstep::app {
namespace {
using testing::HasSubstr;
using testing::Not;

class Reporter : public testing::TestWithParam<bool> {
protected:
    /// A run of one epoch of two steps.
    void runToStep(ConsoleReporter& reporter, int steps) {
        values::RunPlan plan;
        plan.run = 12;
        plan.stepsPerEpoch = plan.totalSteps = 2;
        plan.epochs = 1;
        plan.deviceText = "CPU AVX2, 2 threads";
        reporter.take(plan);
        for (int step = 1; step <= steps; ++step) {
            m_seconds += 1;
            reporter.take(values::StepRecord{
                .step = step, .epoch = 1, .batchSize = 8, .loss = 2, .accuracy = 0.5, .stepMilliseconds = 1000});
        }
    }

    ConsoleReporter::Options options(bool terminal, std::size_t columns = 200) {
        return {.terminal = terminal, .columns = columns, .now = [this] { return m_seconds; }};
    }

    double m_seconds = 0;
    std::ostringstream m_out;
};

TEST_F(Reporter, AFileGetsWholeLinesOnly) {
    ConsoleReporter reporter(m_out, options(false));
    runToStep(reporter, 2);
    reporter.take(values::EpochRecord{.epoch = 1, .loss = 2, .accuracy = 0.5, .seconds = 2});
    reporter.end();
    EXPECT_EQ(m_out.str(),
              "Run 12 on CPU AVX2, 2 threads: 2 steps in 1 epoch.\n"
              "Epoch 1/1\n"
              "2/2 [==============================] - 2s 1000ms/step - loss: 2.0000 - accuracy: 0.5000\n");
}

TEST_F(Reporter, ATerminalSeesTheBarMove) {
    ConsoleReporter reporter(m_out, options(true));
    runToStep(reporter, 2);
    EXPECT_THAT(m_out.str(), HasSubstr("Epoch 1/1\n\r\x1b[K1/2 [===============>..............] - ETA: 1s"));
    EXPECT_THAT(m_out.str(), HasSubstr("\r\x1b[K2/2 [==============================] - ETA: 1s"));
}

TEST_F(Reporter, ATerminalIsRewrittenAtMostTenTimesASecond) {
    ConsoleReporter reporter(m_out, options(true));
    runToStep(reporter, 1);
    const auto before = m_out.str().size();
    for (int i = 0; i < 100; ++i) {
        m_seconds += 0.0005;
        reporter.take(values::ValidationProgress{.epoch = 1, .done = i, .total = 100});
    }
    EXPECT_EQ(m_out.str().size(), before);
}

TEST_F(Reporter, ALineNeverWrapsOnANarrowTerminal) {
    ConsoleReporter reporter(m_out, options(true, 20));
    runToStep(reporter, 1);
    EXPECT_THAT(m_out.str(), testing::EndsWith("\r\x1b[K1/2 [>] - ETA: 1s …"));
}

TEST_F(Reporter, ANoticeStandsAboveTheBar) {
    ConsoleReporter reporter(m_out, options(true));
    runToStep(reporter, 1);
    m_out.str("");
    reporter.take(values::Notice{values::Severity::Warning, "Step 1 was skipped."});
    EXPECT_THAT(m_out.str(), testing::StartsWith("\r\x1b[KWarning: Step 1 was skipped.\n1/2 ["));
}

TEST_P(Reporter, ARunThatIsCutOffLeavesItsLastFigures) {
    ConsoleReporter reporter(m_out, options(GetParam()));
    runToStep(reporter, 1);
    reporter.end();
    EXPECT_THAT(m_out.str(),
                testing::EndsWith("1/2 [===============>..............] - loss: 2.0000 - accuracy: 0.5000\n"));
    reporter.end();
    EXPECT_THAT(m_out.str(), Not(testing::EndsWith("\n\n"))) << "ending twice adds nothing";
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Reporter, testing::Bool());

TEST_F(Reporter, AFileGetsAFewLinesAboutTheData) {
    ConsoleReporter reporter(m_out, options(false));
    for (int done = 0; done <= 1000; ++done) {
        reporter.take(values::DataProgress{"Decoding", done, 1000});
    }
    EXPECT_EQ(m_out.str(), "Decoding: 0/1000 (0 %)\nDecoding: 250/1000 (25 %)\nDecoding: 500/1000 (50 %)\n"
                           "Decoding: 750/1000 (75 %)\nDecoding: 1000/1000 (100 %)\n");
}

} // namespace
} // namespace halfstep::app
