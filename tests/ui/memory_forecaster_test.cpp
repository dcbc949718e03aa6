#include "engine/tensor/error.h"
#include "ui/bridge/memory_forecaster.h"
#include <QTest>
#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <mutex>
#include <new>

using namespace halfstep;
using namespace halfstep::ui;

namespace {

constexpr int kPatience = 20'000;

values::ExperimentConfig batchOf(int size) {
    values::ExperimentConfig config;
    config.imageSize = 64;
    config.batchSize = size;
    return config;
}

/// What a forecaster was asked on its thread, and what it has said.
class ForecasterTest : public testing::Test {
protected:
    ForecasterTest() {
        QObject::connect(&forecaster, &MemoryForecaster::forecast,
                         [this](const MemoryForecast& found) { heard.push_back(found); });
        QObject::connect(&forecaster, &MemoryForecaster::largestBatchFound,
                         [this](const MemoryForecast& found) { largest.push_back(found); });
    }
    MemoryForecast answer(const MemoryForecaster::Request& request) {
        onGuiThread = onGuiThread || QThread::currentThread() == qApp->thread();
        {
            const std::lock_guard lock(mutex);
            asked.push_back(request);
        }
        while (held) {
            QThread::msleep(1);
        }
        if (fail) {
            fail();
        }
        MemoryForecast found{.predicted = values::PredictedMemory{}, .freeBytes = 1000};
        found.predicted->peak = static_cast<std::uint64_t>(request.config.batchSize);
        found.largestBatch = request.config.batchSize + 1;
        return found;
    }
    std::size_t questions() {
        const std::lock_guard lock(mutex);
        return asked.size();
    }

    std::mutex mutex;
    std::vector<MemoryForecaster::Request> asked;
    std::atomic<bool> held = false;
    std::atomic<bool> onGuiThread = false;
    std::function<void()> fail;
    std::vector<MemoryForecast> heard, largest;
    MemoryForecaster forecaster{{}, nullptr, [this](const MemoryForecaster::Request& request, const train::Places&) {
                                    return answer(request);
                                }};
};

TEST_F(ForecasterTest, OfManyRequestsInARowTheLastIsAnsweredAndNotByTheWindowsThread) {
    for (int batch = 1; batch <= 50; ++batch) {
        forecaster.request(batchOf(batch), std::nullopt);
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return !heard.empty(); }, kPatience));
    QTest::qWait(50);
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_EQ(heard[0].predicted->peak, 50U);
    EXPECT_EQ(questions(), 1U);
    EXPECT_FALSE(onGuiThread);
}

TEST_F(ForecasterTest, NothingIsHeardOfWhatIsOutOfDate) {
    held = true;
    forecaster.request(batchOf(1), std::nullopt);
    ASSERT_TRUE(QTest::qWaitFor([&] { return questions() == 1; }, kPatience));
    forecaster.request(batchOf(2), std::nullopt);
    held = false;
    ASSERT_TRUE(QTest::qWaitFor([&] { return !heard.empty(); }, kPatience));
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_EQ(heard[0].predicted->peak, 2U);
}

TEST_F(ForecasterTest, TheSameIsNotAskedTwiceUnlessItIsWantedAnew) {
    forecaster.request(batchOf(1), std::nullopt);
    ASSERT_TRUE(QTest::qWaitFor([&] { return heard.size() == 1; }, kPatience));
    forecaster.request(batchOf(1), std::nullopt);
    QTest::qWait(300);
    EXPECT_EQ(questions(), 1U);
    forecaster.request(batchOf(1), std::nullopt, true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return heard.size() == 2; }, kPatience));
    forecaster.request(batchOf(1), values::SetCounts{.train = 5});
    ASSERT_TRUE(QTest::qWaitFor([&] { return heard.size() == 3; }, kPatience));
}

TEST_F(ForecasterTest, TheLargestBatchIsAnAnswerOfItsOwn) {
    forecaster.findLargestBatch(batchOf(7), values::SetCounts{.train = 20});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !largest.empty(); }, kPatience));
    EXPECT_EQ(largest[0].largestBatch, 8);
    EXPECT_TRUE(heard.empty());
    EXPECT_TRUE(asked[0].largest);
}

TEST_F(ForecasterTest, WhatIsCancelledOrForgottenIsNotHeardOf) {
    held = true;
    forecaster.findLargestBatch(batchOf(7), std::nullopt);
    ASSERT_TRUE(QTest::qWaitFor([&] { return questions() == 1; }, kPatience));
    forecaster.forgetLargestBatch();
    forecaster.request(batchOf(1), std::nullopt);
    forecaster.cancel();
    held = false;
    QTest::qWait(300);
    EXPECT_TRUE(heard.empty());
    EXPECT_TRUE(largest.empty());
    forecaster.request(batchOf(1), std::nullopt); // also the same one as before
    EXPECT_TRUE(QTest::qWaitFor([&] { return heard.size() == 1; }, kPatience));
}

TEST_F(ForecasterTest, EveryTroubleIsASentence) {
    const std::pair<std::function<void()>, const char*> troubles[]{
        {[] { throw BackendError("There is no such device."); }, "There is no such device."},
        {[] { throw std::bad_alloc(); }, "The memory of this machine is used up."}};
    for (const auto& [thrown, sentence] : troubles) {
        heard.clear();
        fail = thrown;
        forecaster.request(batchOf(1), std::nullopt, true);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !heard.empty(); }, kPatience));
        EXPECT_EQ(heard[0].trouble, sentence);
        EXPECT_FALSE(heard[0].fits());
    }
}

TEST(ForecastMemory, IsWhatARunIsAskedBeforeItsStart) {
    values::ExperimentConfig config = batchOf(32);
    config.memoryLimitBytes = std::uint64_t{300} << 20;
    const values::SetCounts counts{.classes = 2, .train = 100, .validation = 20};
    const MemoryForecast forecast = forecastMemory({.config = config, .counts = counts}, {});
    ASSERT_TRUE(forecast.predicted);
    EXPECT_TRUE(forecast.fits());
    EXPECT_EQ(forecast.freeBytes, *config.memoryLimitBytes);
    EXPECT_GT(forecast.predicted->activations, 0U);
    EXPECT_GT(forecast.predicted->variables, 0U);
    EXPECT_FALSE(forecast.largestBatch);

    config.memoryLimitBytes = forecast.predicted->peak - 1;
    const MemoryForecast tight = forecastMemory({.config = config, .counts = counts}, {});
    EXPECT_FALSE(tight.fits());
    EXPECT_GT(tight.largestBatch.value_or(0), 0);
    EXPECT_LT(*tight.largestBatch, 32);
}

TEST(ForecastMemory, TheLargestBatchIsAtMostTheSetAndFits) {
    values::ExperimentConfig config = batchOf(32);
    config.memoryLimitBytes = std::uint64_t{300} << 20;
    const MemoryForecast all =
        forecastMemory({.config = config, .counts = values::SetCounts{.train = 40}, .largest = true}, {});
    EXPECT_EQ(all.largestBatch, 40);
    const MemoryForecast free = forecastMemory({.config = config, .largest = true}, {});
    ASSERT_GT(free.largestBatch.value_or(0), 40);
    config.batchSize = static_cast<int>(*free.largestBatch);
    EXPECT_TRUE(forecastMemory({.config = config}, {}).fits());
}

TEST(ForecastMemory, OfMoreThanCanBeCountedSaysSo) {
    values::ExperimentConfig config = batchOf(1'000'000);
    config.imageSize = 4096;
    const MemoryForecast forecast = forecastMemory({.config = config}, {});
    EXPECT_FALSE(forecast.fits());
    EXPECT_GE(forecast.largestBatch.value_or(-1), 0);
}

} // namespace
