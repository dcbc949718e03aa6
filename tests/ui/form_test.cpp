#include "ui/pages/experiment_form.h"
#include "ui/pages/form_field.h"
#include "ui/pages/form_warnings.h"
#include "ui/pages/policy_picker.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/source_picker.h"
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <gtest/gtest.h>

using namespace halfstep;
using namespace halfstep::ui;

namespace {

std::vector<backend::DeviceInfo> someDevices() {
    backend::DeviceInfo cpu;
    cpu.id = "cpu";
    cpu.name = "A CPU";
    cpu.usable = true;
    cpu.cores = 2;
    for (const precision::Policy policy : precision::kPolicies) {
        const bool supported = policy != precision::Policy::MixedBFloat16;
        cpu.policies.push_back({policy, supported, supported ? "computed in float32" : "this CPU lacks it"});
    }
    backend::DeviceInfo cuda;
    cuda.id = "cuda:0";
    cuda.text = "No NVIDIA driver was found.";
    return {cpu, cuda};
}

class ExperimentFormTest : public testing::Test {
protected:
    ExperimentFormTest()
        : settings(folder.filePath("settings.ini"), QSettings::IniFormat),
          form({.places = {}, .devices = someDevices(), .settings = &settings}) {
        form.resize(288, 700);
        form.show();
        QObject::connect(&form, &ExperimentForm::startRequested,
                         [this](const auto& config) { started.push_back(config); });
    }
    template <typename Editor>
    Editor* editorOf(const char* key) const {
        return qobject_cast<Editor*>(form.field(key)->editor());
    }
    void type(const char* key, const QString& text) const {
        if (auto* box = editorOf<QComboBox>(key); box != nullptr) {
            box->setEditText(text);
        } else {
            editorOf<QLineEdit>(key)->setText(text);
        }
    }

    QTemporaryDir folder;
    QSettings settings;
    ExperimentForm form;
    std::vector<values::ExperimentConfig> started;
};

TEST_F(ExperimentFormTest, ANewcomerOnlyPressesStart) {
    EXPECT_TRUE(form.problems().empty());
    QTest::mouseClick(form.controls()->startButton(), Qt::LeftButton);
    ASSERT_EQ(started.size(), 1U);
    EXPECT_EQ(started[0].data, "sample");
    EXPECT_EQ(started[0].imageSize, 64);
    EXPECT_EQ(started[0].policy, precision::Policy::Float32);
}

TEST_F(ExperimentFormTest, ACommaAndAPointAreTheSameRate) {
    for (const char* text : {"0,0025", "0.0025"}) {
        type("learning_rate", text);
        EXPECT_EQ(form.config().learningRate, 0.0025) << text;
        EXPECT_TRUE(form.problems().empty()) << text;
    }
}

TEST_F(ExperimentFormTest, AProblemIsSaidAtItsFieldAndStartWaits) {
    const std::pair<const char*, const char*> wrong[]{{"batch_size", "many"},    {"batch_size", "0"},
                                                      {"learning_rate", "fast"}, {"learning_rate", "-1"},
                                                      {"image_size", "1"},       {"seed", "-3"}};
    for (const auto& [key, text] : wrong) {
        const values::ExperimentConfig before = form.config();
        type(key, text);
        EXPECT_FALSE(form.field(key)->problem().isEmpty()) << key << ' ' << text;
        EXPECT_TRUE(form.field(key)->isVisible()) << "the field is brought to sight";
        EXPECT_FALSE(form.controls()->startButton()->isEnabled());
        EXPECT_TRUE(form.controls()->sentence().contains(form.field(key)->name()))
            << "the reason stands beside Start";
        form.requestStart();
        EXPECT_TRUE(started.empty());
        form.setConfig(before);
        EXPECT_TRUE(form.field(key)->problem().isEmpty());
    }
    EXPECT_TRUE(form.controls()->startButton()->isEnabled());
}

TEST_F(ExperimentFormTest, APolicyThatTheDeviceLacksIsGreyWithTheReason) {
    auto* policies = form.findChild<PolicyPicker*>();
    EXPECT_FALSE(policies->isSupported(precision::Policy::MixedBFloat16));
    EXPECT_TRUE(policies->isSupported(precision::Policy::MixedFloat16));
    bool said = false;
    for (const auto* button : policies->findChildren<QRadioButton*>()) {
        said = said || (!button->isEnabled() && button->accessibleDescription() == "this CPU lacks it");
    }
    EXPECT_TRUE(said);
    // A remembered experiment may ask for it all the same.
    form.setConfig({.policy = precision::Policy::MixedBFloat16});
    EXPECT_FALSE(form.controls()->startButton()->isEnabled());
    EXPECT_FALSE(form.field("policy")->problem().isEmpty());
}

TEST_F(ExperimentFormTest, PhotographsDefaultToTheSizeOfTheArticleAndTheSampleToASmallOne) {
    form.setDataSource("/some/set.tgz");
    EXPECT_EQ(form.config().imageSize, 256);
    EXPECT_EQ(form.config().data, "/some/set.tgz");
    form.setDataSource("sample");
    EXPECT_EQ(form.config().imageSize, 64);
}

TEST_F(ExperimentFormTest, WhatIsSetIsWhatIsRead) {
    const values::ExperimentConfig config{.name = "a name",
                                          .data = "/some/folder",
                                          .policy = precision::Policy::MixedFloat16,
                                          .batchSize = 48,
                                          .device = "cpu",
                                          .epochs = 7,
                                          .imageSize = 96,
                                          .seed = 18446744073709551615ULL,
                                          .threads = 2,
                                          .learningRate = 0.0003};
    form.setConfig(config);
    EXPECT_EQ(form.config(), config);
}

TEST_F(ExperimentFormTest, WhatIsSetUnderAdvancedIsWhatIsRead) {
    values::ExperimentConfig config{.policy = precision::Policy::Float16, .device = "cpu", .imageSize = 64};
    config.optimizer = values::OptimizerKind::Sgd;
    config.numericsEvery = 0;
    config.lossScale = {.scaling = precision::LossScaling::Dynamic,
                        .rule = precision::LossScaleRule::PyTorch,
                        .scale = 1024,
                        .growthFactor = 4,
                        .backoffFactor = 0.25,
                        .growthInterval = 1'000'000'000};
    form.setConfig(config);
    EXPECT_EQ(form.config(), config);
    config = {.policy = precision::Policy::MixedFloat16, .device = "cpu", .imageSize = 64};
    config.epsilon = 1e-4;
    config.numericsEvery = 25;
    config.lossScale = {.scaling = precision::LossScaling::Fixed, .scale = 1000};
    form.setConfig(config);
    EXPECT_EQ(form.config(), config);
    EXPECT_TRUE(form.problems().empty());
}

TEST_F(ExperimentFormTest, OnlyWhatAppliesOfTheLossScaleIsEnabled) {
    const char* const moving[]{"loss_scale_growth", "loss_scale_backoff", "loss_scale_interval"};
    const auto expect = [&](bool scale, bool moves, const char* why) {
        EXPECT_EQ(form.field("loss_scale_rule")->editor()->isEnabled(), scale) << why;
        EXPECT_EQ(form.field("loss_scale")->editor()->isEnabled(), scale) << why;
        for (const char* key : moving) {
            EXPECT_EQ(form.field(key)->editor()->isEnabled(), moves) << why << ' ' << key;
        }
    };
    expect(false, false, "float32, auto");
    form.setConfig({.policy = precision::Policy::MixedFloat16});
    expect(true, true, "mixed_float16, auto");
    EXPECT_TRUE(editorOf<QLineEdit>("loss_scale")->placeholderText().startsWith("32768"));
    editorOf<QComboBox>("loss_scale_rule")->setCurrentIndex(1);
    EXPECT_TRUE(editorOf<QLineEdit>("loss_scale")->placeholderText().startsWith("65536")) << "PyTorch's";
    type("loss_scale_growth", "3");
    editorOf<QComboBox>("loss_scaling")->setCurrentIndex(2);
    expect(true, false, "fixed");
    EXPECT_TRUE(form.problems().empty()) << "what does not apply is not read";
    editorOf<QComboBox>("loss_scaling")->setCurrentIndex(3);
    expect(false, false, "off");
    EXPECT_TRUE(form.problems().empty());
    editorOf<QComboBox>("loss_scaling")->setCurrentIndex(1);
    EXPECT_EQ(form.config().lossScale.growthFactor, 3);
}

TEST_F(ExperimentFormTest, ALossScaleIsTypedAsANumberOrAPowerOfTwo) {
    form.setConfig({.policy = precision::Policy::MixedFloat16});
    for (const char* text : {"1024", " 2^10 ", "1024,0"}) {
        type("loss_scale", text);
        EXPECT_EQ(form.config().lossScale.scale, 1024) << text;
    }
    const std::pair<const char*, const char*> wrong[]{{"loss_scale", "2^2000"},
                                                      {"loss_scale", "2^"},
                                                      {"loss_scale", "2^128"},
                                                      {"loss_scale", "0.5"},
                                                      {"loss_scale_growth", "0.5"},
                                                      {"loss_scale_backoff", "1"},
                                                      {"loss_scale_interval", "1.5"},
                                                      {"loss_scale_interval", "0"},
                                                      {"epsilon", "0"},
                                                      {"epsilon", "tiny"}};
    for (const auto& [key, text] : wrong) {
        const values::ExperimentConfig before = form.config();
        type(key, text);
        EXPECT_FALSE(form.field(key)->problem().isEmpty()) << key << ' ' << text;
        EXPECT_FALSE(form.controls()->startButton()->isEnabled());
        form.setConfig(before);
        EXPECT_TRUE(form.field(key)->problem().isEmpty());
    }
}

TEST_F(ExperimentFormTest, NothingIsCutOffHoweverMuchShows) {
    form.setConfig({.policy = precision::Policy::Float16, .device = "cpu", .imageSize = 64});
    form.findChild<QToolButton*>("disclosure")->click();
    QTest::qWait(50);
    const auto* area = form.findChild<QScrollArea*>();
    EXPECT_LE(area->widget()->width(), area->viewport()->width());
    EXPECT_TRUE(form.field("loss_scale_interval")->isVisible());
}

TEST_F(ExperimentFormTest, EpsilonIsAdamsAlone) {
    EXPECT_TRUE(form.field("epsilon")->editor()->isEnabled());
    type("epsilon", "nothing");
    editorOf<QComboBox>("optimizer")->setCurrentIndex(1);
    EXPECT_FALSE(form.field("epsilon")->editor()->isEnabled());
    EXPECT_TRUE(form.problems().empty());
}

TEST_F(ExperimentFormTest, APolicyWithNarrowWeightsSaysWhatWillGoWrong) {
    EXPECT_FALSE(form.warnings()->isVisible());
    values::ExperimentConfig config{.policy = precision::Policy::Float16, .imageSize = 64};
    form.setConfig(config);
    EXPECT_TRUE(form.warnings()->isVisible());
    const auto expected = [](const values::ExperimentConfig& of) {
        QStringList lines;
        for (const std::string& sentence : values::warningsOf(of)) {
            lines << QString::fromStdString(sentence);
        }
        return lines.join('\n');
    };
    EXPECT_EQ(form.warnings()->text(), expected(config));
    EXPECT_TRUE(form.warnings()->text().contains("epsilon"));
    EXPECT_TRUE(form.controls()->startButton()->isEnabled()) << "a warning is no problem";
    editorOf<QComboBox>("optimizer")->setCurrentIndex(1);
    config.optimizer = values::OptimizerKind::Sgd;
    EXPECT_EQ(form.warnings()->text(), expected(config));
    EXPECT_FALSE(form.warnings()->text().contains("epsilon"));
    form.setConfig({.policy = precision::Policy::MixedFloat16});
    EXPECT_FALSE(form.warnings()->isVisible());
}

TEST_F(ExperimentFormTest, ThePolicyIsToldToWhomItConcerns) {
    std::vector<precision::Policy> told;
    QObject::connect(&form, &ExperimentForm::policyChanged,
                     [&](precision::Policy policy) { told.push_back(policy); });
    form.setConfig({.policy = precision::Policy::BFloat16});
    EXPECT_EQ(told, std::vector{precision::Policy::BFloat16});
}

TEST_F(ExperimentFormTest, WhatTheEngineSaysStandsAtTheFieldUntilItIsChanged) {
    form.showProblem("batch_size", "This batch does not fit in memory.");
    EXPECT_EQ(form.field("batch_size")->problem(), "This batch does not fit in memory.");
    type("batch_size", "16");
    EXPECT_TRUE(form.field("batch_size")->problem().isEmpty());
}

TEST_F(ExperimentFormTest, ThePlanCountsTheStepsOfTheSet) {
    form.setCounts("sample", {.train = 640});
    EXPECT_TRUE(form.controls()->sentence().startsWith("20 steps × 20 epochs"))
        << form.controls()->sentence().toStdString();
    type("batch_size", "64");
    EXPECT_TRUE(form.controls()->sentence().startsWith("10 steps ×"));
}

TEST(SourcePicker, SetsUsedBeforeAreOfferedAgain) {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    {
        SourcePicker picker(&settings);
        picker.setSource("/a/first.tgz");
        picker.setSource("/a/second.tgz");
    }
    const SourcePicker again(&settings);
    EXPECT_EQ(again.source(), "sample");
    const auto* box = again.findChild<QComboBox*>();
    EXPECT_EQ(box->count(), 3);
    EXPECT_EQ(box->itemData(1).toString(), "/a/second.tgz");
}

} // namespace
