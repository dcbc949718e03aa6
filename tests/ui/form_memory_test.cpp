// What the experiment form says of memory, with forecasts of its own.
#include "ui/pages/experiment_form.h"
#include "ui/pages/form_field.h"
#include "ui/pages/form_memory.h"
#include "ui/pages/run_controls.h"
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

using namespace halfstep;
using namespace halfstep::ui;

namespace {

constexpr int kPatience = 20'000;
constexpr std::uint64_t kMegabyte = 1'000'000;

/// 15 MB an image, 10 GB free or the limit.
MemoryForecast madeForecast(const MemoryForecaster::Request& request) {
    const auto batch = static_cast<std::uint64_t>(request.config.batchSize);
    MemoryForecast found;
    found.freeBytes = request.config.memoryLimitBytes.value_or(10'000 * kMegabyte);
    const std::uint64_t fitting = found.freeBytes / (15 * kMegabyte);
    found.predicted = values::PredictedMemory{.variables = kMegabyte,
                                              .optimizer = 2 * kMegabyte,
                                              .activations = 9 * batch * kMegabyte,
                                              .gradients = 3 * batch * kMegabyte,
                                              .reserve = 2 * batch * kMegabyte,
                                              .workspace = batch * kMegabyte,
                                              .peak = 15 * batch * kMegabyte};
    if (request.largest || batch > fitting) {
        found.largestBatch = static_cast<std::int64_t>(fitting);
    }
    return found;
}

std::vector<backend::DeviceInfo> oneDevice() {
    backend::DeviceInfo cpu;
    cpu.id = "cpu";
    cpu.name = "A CPU";
    cpu.usable = true;
    cpu.cores = 2;
    for (const precision::Policy policy : precision::kPolicies) {
        cpu.policies.push_back({policy, true, "computed in float32"});
    }
    return {cpu};
}

class FormMemoryTest : public testing::Test {
protected:
    FormMemoryTest()
        : settings(folder.filePath("settings.ini"), QSettings::IniFormat),
          form({.places = {}, .devices = oneDevice(), .settings = &settings}, nullptr,
               [](const MemoryForecaster::Request& request, const train::Places&) { return madeForecast(request); }) {
        form.resize(304, 800);
        form.show();
    }
    void type(const char* key, const QString& text) const {
        QWidget* editor = form.field(QLatin1String(key))->editor();
        if (auto* box = qobject_cast<QComboBox*>(editor); box != nullptr) {
            box->setEditText(text);
        } else {
            qobject_cast<QLineEdit*>(editor)->setText(text);
        }
    }
    bool waitForLine(const QString& text) const {
        return QTest::qWaitFor([&] { return form.memory()->text() == text; }, kPatience);
    }

    QTemporaryDir folder;
    QSettings settings;
    ExperimentForm form;
};

TEST_F(FormMemoryTest, ThePredictionAndWhatIsFreeStandUnderTheBatchSize) {
    EXPECT_TRUE(waitForLine("~480 MB, 10 GB free")) << form.memory()->text().toStdString();
    EXPECT_TRUE(form.memory()->warning().isEmpty());
    type("batch_size", "64");
    EXPECT_TRUE(waitForLine("~960 MB, 10 GB free")) << form.memory()->text().toStdString();
}

TEST_F(FormMemoryTest, TheTooltipSaysWhatItConsistsOfAndNamesThePhotographsBeside) {
    form.setCounts("sample", {.classes = 10, .train = 9469, .validation = 3925});
    ASSERT_TRUE(waitForLine("~480 MB, 10 GB free"));
    const QString tip = form.memory()->toolTip();
    for (const char* part : {"variables: 1.0 MB", "optimizer: 2.0 MB", "activations: 288 MB", "gradients: 96 MB",
                             "reserve, from forward to backward: 64 MB", "workspace of the convolutions: 32 MB"}) {
        EXPECT_TRUE(tip.contains(part)) << part << " in " << tip.toStdString();
    }
    EXPECT_TRUE(tip.contains("× 64 × 64 × 3 bytes")) << tip.toStdString();
    EXPECT_TRUE(tip.contains("165 MB")) << "13,394 photographs: " << tip.toStdString();
}

TEST_F(FormMemoryTest, AnExperimentThatDoesNotFitIsWarnedOfWithABatchThatDoes) {
    type("batch_size", "1000");
    ASSERT_TRUE(waitForLine("~15 GB, 10 GB free"));
    EXPECT_TRUE(form.memory()->warning().contains("A batch of 666 fits"));
    EXPECT_TRUE(form.memory()->accessibleDescription().contains("A batch of 666 fits"));
    type("batch_size", "32");
    ASSERT_TRUE(waitForLine("~480 MB, 10 GB free"));
    EXPECT_TRUE(form.memory()->warning().isEmpty());
}

TEST_F(FormMemoryTest, TheMemoryLimitUnderAdvancedIsWhatIsFree) {
    type("memory_limit_bytes", "400 MB");
    EXPECT_EQ(form.config().memoryLimitBytes, 400 * kMegabyte);
    ASSERT_TRUE(waitForLine("~480 MB, 400 MB free"));
    EXPECT_TRUE(form.memory()->warning().contains("A batch of 26 fits"));
    type("memory_limit_bytes", "10 MB");
    ASSERT_TRUE(waitForLine("~480 MB, 10 MB free"));
    EXPECT_TRUE(form.memory()->warning().contains("Not even one image fits"));
    type("memory_limit_bytes", "1,5 GiB");
    EXPECT_EQ(form.config().memoryLimitBytes, std::uint64_t{3} << 29);
    type("memory_limit_bytes", "");
    EXPECT_EQ(form.config().memoryLimitBytes, std::nullopt);
    EXPECT_TRUE(form.problems().empty());
}

TEST_F(FormMemoryTest, ALimitThatIsNoAmountIsSaidAtItsField) {
    for (const char* text : {"much", "0", "-4 GiB", "4 apples"}) {
        type("memory_limit_bytes", text);
        EXPECT_FALSE(form.field("memory_limit_bytes")->problem().isEmpty()) << text;
        EXPECT_FALSE(form.controls()->startButton()->isEnabled());
        EXPECT_EQ(form.memory()->text(), "–");
    }
}

TEST_F(FormMemoryTest, TheLimitIsShownAsItWasSet) {
    values::ExperimentConfig config = form.config();
    config.memoryLimitBytes = std::uint64_t{4} << 30;
    form.setConfig(config);
    EXPECT_EQ(form.config(), config);
    auto* editor = qobject_cast<QLineEdit*>(form.field("memory_limit_bytes")->editor());
    EXPECT_EQ(editor->text(), "4 GiB");
}

TEST_F(FormMemoryTest, LargestBatchSetsTheLargestThatFits) {
    QTest::mouseClick(form.largestBatchButton(), Qt::LeftButton);
    EXPECT_FALSE(form.largestBatchButton()->isEnabled()) << "until it is found";
    ASSERT_TRUE(QTest::qWaitFor([&] { return form.config().batchSize == 666; }, kPatience));
    EXPECT_TRUE(form.largestBatchButton()->isEnabled());
    ASSERT_TRUE(waitForLine("~10 GB, 10 GB free"));
    EXPECT_TRUE(form.memory()->warning().isEmpty());
}

TEST_F(FormMemoryTest, LargestBatchOfNothingSaysSoAtTheField) {
    type("memory_limit_bytes", "10 MB");
    QTest::mouseClick(form.largestBatchButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !form.field("batch_size")->problem().isEmpty(); }, kPatience));
    EXPECT_TRUE(form.field("batch_size")->problem().contains("Not even one image fits"));
    EXPECT_EQ(form.config().batchSize, 32);
}

TEST_F(FormMemoryTest, AChangeMeanwhileIsNotWrittenOver) {
    QTest::mouseClick(form.largestBatchButton(), Qt::LeftButton);
    type("batch_size", "16");
    EXPECT_TRUE(form.largestBatchButton()->isEnabled());
    ASSERT_TRUE(waitForLine("~240 MB, 10 GB free"));
    EXPECT_EQ(form.config().batchSize, 16);
}

TEST_F(FormMemoryTest, NothingMovesWhenTheNumberChanges) {
    ASSERT_TRUE(waitForLine("~480 MB, 10 GB free"));
    const QRect device = form.field("device")->geometry(), memory = form.memory()->geometry();
    const QRect button = form.largestBatchButton()->geometry();
    for (const char* batch : {"1", "8", "600", "x", "32"}) {
        type("batch_size", batch);
        if (QLatin1String(batch) != QLatin1String("x")) {
            ASSERT_TRUE(QTest::qWaitFor([&] { return form.memory()->text().startsWith("~"); }, kPatience));
            EXPECT_EQ(form.field("device")->geometry(), device) << batch;
        }
        EXPECT_EQ(form.memory()->geometry(), memory) << batch;
        EXPECT_EQ(form.largestBatchButton()->geometry(), button) << batch;
    }
}

TEST_F(FormMemoryTest, WhileARunHoldsItsMemoryNothingIsWarnedOf) {
    type("batch_size", "1000");
    ASSERT_TRUE(waitForLine("~15 GB, 10 GB free"));
    form.setState(TrainingSession::State::Running);
    EXPECT_TRUE(form.memory()->warning().isEmpty());
    form.setState(TrainingSession::State::Idle);
    EXPECT_FALSE(form.memory()->warning().isEmpty());
}

} // namespace
