// Case A10: an epoch's mean is weighted by batch size, and its steps are counted right, with a smaller last batch.
#include "engine/backend/backend.h"
#include "engine/train/trainer.h"
#include "tests/support/convnet_case.h"
#include "tests/support/csv_table.h"
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace halfstep::support {
namespace {

/// Gray pictures of ten classes with the given labels.
class LabelledPictures final : public data::Dataset {
public:
    LabelledPictures(const std::vector<int>& train, const std::vector<int>& validation)
        : m_splits{train, validation} {
        m_info.classes.resize(10);
        m_info.imageSize = kSize;
        for (std::size_t split = 0; split < 2; ++split) {
            for (const int label : m_splits[split]) {
                m_photographs[split].emplace_back().label = label;
            }
        }
    }
    static constexpr int kSize = 16;

    const data::DatasetInfo& info() const override { return m_info; }
    const std::vector<data::Photograph>& photographs(data::Split split) const override {
        return m_photographs[static_cast<std::size_t>(split)];
    }
    std::span<const std::uint8_t> pixels(data::Split, std::int64_t) const override { return m_pixels; }
    std::vector<std::uint8_t> original(data::Split, std::int64_t) const override { return {}; }

private:
    data::DatasetInfo m_info;
    std::array<std::vector<int>, 2> m_splits;
    std::array<std::vector<data::Photograph>, 2> m_photographs;
    std::vector<std::uint8_t> m_pixels = std::vector<std::uint8_t>(kSize * kSize * 3, 128);
};

values::ExperimentConfig configOf(int batchSize) {
    values::ExperimentConfig config;
    config.batchSize = batchSize;
    config.epochs = 1;
    config.imageSize = LabelledPictures::kSize;
    config.optimizer = values::OptimizerKind::Sgd;
    config.learningRate = 0; // what a picture's loss is, it stays
    return config;
}

struct Epoch {
    std::vector<values::StepRecord> steps;
    values::EpochRecord record;
    std::int64_t validationBatches = 0;
};

/// One epoch of a network that gives every picture the same logits.
Epoch epochOf(int batchSize, const std::vector<int>& train, const std::vector<int>& validation,
              const std::vector<double>& logits) {
    RandomNumbers numbers(1);
    Arrays weights = drawConvnetWeights(numbers);
    weights["dense/kernel"] = zeros({128, 10});
    weights["dense/bias"] = {{10}, logits};
    train::RunStart start;
    for (const auto& [name, array] : weights) {
        start.weights.push_back({name, array.shape, {array.values.begin(), array.values.end()}});
    }
    train::Trainer trainer(configOf(batchSize), std::make_shared<LabelledPictures>(train, validation),
                           backend::makeBackend({.device = "cpu", .threads = 1}));
    Epoch epoch;
    trainer.run(
        [&](const values::RunEvent& event) {
            if (const auto* step = std::get_if<values::StepRecord>(&event)) {
                epoch.steps.push_back(*step);
            } else if (const auto* record = std::get_if<values::EpochRecord>(&event)) {
                epoch.record = *record;
            } else if (const auto* progress = std::get_if<values::ValidationProgress>(&event)) {
                epoch.validationBatches = progress->done;
            }
        },
        {}, std::move(start));
    return epoch;
}

/// Pictures and logits of which a picture with label k loses `losses[k]`.
struct Losses {
    std::vector<double> logits = std::vector<double>(10, -1000.0); // as good as impossible
    std::vector<int> labels;
};

/// Batches of the given sizes and mean losses. A loss of L is a probability of e^-L, so that small losses of several
/// classes cannot stand side by side (their probabilities sum to more than 1): then each batch mixes two classes, of
/// losses `low` and `high`.
Losses lossesOf(const std::vector<int>& sizes, const std::vector<double>& means) {
    Losses result;
    double free = 1; // probability that no class has yet
    const auto classWith = [&](double loss) {
        for (std::size_t k = 0; k < 9; ++k) {
            if (result.logits[k] == -loss) {
                return static_cast<int>(k);
            }
            if (result.logits[k] == -1000.0) {
                result.logits[k] = -loss;
                free -= std::exp(-loss);
                return static_cast<int>(k);
            }
        }
        throw std::logic_error("too many different losses");
    };
    const auto add = [&](int count, double loss) {
        result.labels.insert(result.labels.end(), static_cast<std::size_t>(count), classWith(loss));
    };
    for (std::size_t batch = 0; batch < sizes.size(); ++batch) {
        if (means[batch] >= 1) {
            add(sizes[batch], means[batch]);
            continue;
        }
        constexpr double kLow = 0.4, kHigh = 1.2; // 0.67 + 0.30
        const double high = sizes[batch] * (means[batch] - kLow) / (kHigh - kLow);
        if (std::abs(high - std::round(high)) > 1e-9) {
            throw std::logic_error("this mean cannot be mixed");
        }
        add(static_cast<int>(std::round(high)), kHigh);
        add(sizes[batch] - static_cast<int>(std::round(high)), kLow);
    }
    if (free < 0) {
        throw std::logic_error("these losses cannot stand side by side");
    }
    result.logits[9] = std::log(free);
    return result;
}

TEST(EpochTable, EveryMeanIsWeightedByBatchSize) {
    const CsvTable table("regression/tables/epoch_mean.csv");
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto sizes = nlohmann::json::parse(table.text(row, "batch_sizes")).get<std::vector<int>>();
        const auto means = nlohmann::json::parse(table.text(row, "batch_mean_losses")).get<std::vector<double>>();
        SCOPED_TRACE(table.text(row, "batch_sizes"));
        const Losses losses = lossesOf(sizes, means);
        const Epoch epoch = epochOf(sizes.front(), losses.labels, losses.labels, losses.logits);
        ASSERT_EQ(epoch.steps.size(), sizes.size());
        double weighted = 0;
        for (std::size_t step = 0; step < sizes.size(); ++step) {
            EXPECT_EQ(epoch.steps[step].batchSize, sizes[step]);
            weighted += epoch.steps[step].loss * sizes[step];
        }
        // The shuffle mixes the batches, which changes no mean over the pictures.
        const double right = table.number(row, "right_epoch_loss");
        EXPECT_NEAR(epoch.record.loss, right, 1e-6 * right);
        EXPECT_NEAR(weighted / std::accumulate(sizes.begin(), sizes.end(), 0), right, 1e-6 * right);
        EXPECT_NEAR(epoch.record.valLoss.value(), right, 1e-6 * right);
    }
}

TEST(EpochTable, ImagenettesStepsAreCountedRight) {
    const CsvTable table("regression/tables/imagenette_steps.csv");
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto number = [&](const char* column) { return static_cast<std::int64_t>(table.number(row, column)); };
        const auto images = [&](const char* column) {
            return std::vector<int>(static_cast<std::size_t>(number(column)), 0);
        };
        const int batchSize = static_cast<int>(number("batch_size"));
        SCOPED_TRACE(batchSize);
        const train::Trainer trainer(configOf(batchSize),
                                     std::make_shared<LabelledPictures>(images("train_images"), images("val_images")),
                                     backend::makeBackend({.device = "cpu", .threads = 1}));
        const values::RunPlan plan = trainer.plan();
        EXPECT_EQ(plan.stepsPerEpoch, number("train_steps_per_epoch"));
        EXPECT_EQ(plan.totalSteps, plan.stepsPerEpoch);
        EXPECT_EQ(plan.validationBatches, number("val_steps"));
        const auto last = [&](std::int64_t total, std::int64_t steps) { return total - (steps - 1) * batchSize; };
        EXPECT_EQ(last(number("train_images"), plan.stepsPerEpoch), number("last_train_batch"));
        EXPECT_EQ(last(number("val_images"), plan.validationBatches), number("last_val_batch"));
    }
}

/// `count` labels: 0, 1, 2, 3, 0, ...
std::vector<int> fourLabels(int count) {
    std::vector<int> labels(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        labels[static_cast<std::size_t>(i)] = i % 4;
    }
    return labels;
}

TEST(EpochTable, ASetOf103PicturesInTensEndsWithABatchOf3) {
    std::vector<double> logits(10, 0.0);
    logits[2] = 1; // always the guess
    const Epoch epoch = epochOf(10, fourLabels(103), fourLabels(21), logits);
    ASSERT_EQ(epoch.steps.size(), 11U);
    for (std::size_t step = 0; step < 10; ++step) {
        EXPECT_EQ(epoch.steps[step].batchSize, 10);
    }
    EXPECT_EQ(epoch.steps[10].batchSize, 3);
    EXPECT_EQ(epoch.validationBatches, 3);
    EXPECT_EQ(epoch.record.accuracy, 26.0 / 103); // labels 0 to 102 that are 2 modulo 4
    EXPECT_EQ(epoch.record.valAccuracy, 5.0 / 21);
}

TEST(EpochTable, ABatchLargerThanTheSetIsOneStep) {
    const Epoch epoch = epochOf(4096, fourLabels(103), fourLabels(21), std::vector<double>(10, 0.0));
    ASSERT_EQ(epoch.steps.size(), 1U);
    EXPECT_EQ(epoch.steps[0].batchSize, 103);
    EXPECT_EQ(epoch.validationBatches, 1);
    EXPECT_NEAR(epoch.record.loss, std::log(10.0), 1e-6);
}

} // namespace
} // namespace halfstep::support
