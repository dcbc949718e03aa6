// Case A12: batch-norm statistics neither overflow nor cancel, a variance is never negative, and a constant channel
// gives beta.
#include "engine/train/training_step.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/csv_table.h"
#include "tests/support/device_arrays.h"
#include "tests/support/rounding.h"
#include <algorithm>
#include <cmath>
#include <sstream>

namespace halfstep::support {
namespace {

constexpr float kEpsilon = 0.001F;

/// "8 x: 10.0,10.5 alternating" is 8 values, those after the colon in turn.
std::vector<double> valuesOf(const std::string& text) {
    const std::size_t colon = text.find(':');
    std::vector<double> listed;
    std::istringstream fields(text.substr(colon + 1));
    for (std::string field; std::getline(fields, field, ',');) {
        listed.push_back(std::stod(field));
    }
    std::vector<double> values(static_cast<std::size_t>(std::stoi(text)));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = listed[i % listed.size()];
    }
    return values;
}

struct Normalized {
    Array mean, variance, y;
};

class BatchNormTable : public EveryBackend {
protected:
    /// `channels` equal channels, so that vectors and their tails are taken.
    Normalized normalize(const std::vector<double>& values, std::int64_t channels, double beta) const {
        Array x = zeros({1, static_cast<std::int64_t>(values.size()), 1, channels});
        for (std::int64_t i = 0; i < x.count(); ++i) {
            x[i] = values[static_cast<std::size_t>(i / channels)];
        }
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const auto f32 = [&](double value) {
                return onDevice(device, DType::Float32, filled({channels}, value));
            };
            const tensor::Tensor mean = f32(0), variance = f32(0);
            const tensor::Tensor y = device.allocate(dtype(), x.shape);
            device.batchNormTrain(onDevice(device, dtype(), x), f32(1.0), f32(beta), kEpsilon, mean, variance, y);
            return std::vector{fromDevice(device, mean), fromDevice(device, variance), fromDevice(device, y)};
        });
        return {result[0], result[1], result[2]};
    }
};

TEST_P(BatchNormTable, EveryRowIsRight) {
    const CsvTable table("regression/tables/batch_norm.csv");
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::vector<double> values = valuesOf(table.text(row, "values"));
        if (std::any_of(values.begin(), values.end(), [&](double v) { return roundTo(dtype(), v) != v; })) {
            continue; // this dtype cannot hold them
        }
        SCOPED_TRACE(table.text(row, "values"));
        const double mean = table.number(row, "right_mean");
        const double variance = table.number(row, "right_biased_var");
        const double meanError = 6e-8 * mean; // a rounding to float32
        const double first = table.number(row, "right_normalized_first (eps 1e-3)");
        for (const std::int64_t channels : {1, 19}) {
            const Normalized got = normalize(values, channels, 0.375);
            for (std::int64_t c = 0; c < channels; ++c) {
                EXPECT_NEAR(got.mean[c], mean, meanError);
                EXPECT_GE(got.variance[c], 0.0);
                EXPECT_NEAR(got.variance[c], variance, 1e-3 * variance + meanError * meanError);
                const double y = first + 0.375;
                EXPECT_NEAR(got.y[c], y, meanError / std::sqrt(variance + kEpsilon) + stepAt(dtype(), y));
            }
            if (variance == 0) {
                for (const double y : got.y.values) {
                    ASSERT_EQ(y, 0.375) << "a constant channel is beta";
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, BatchNormTable, everyDType(), dtypeName);

TEST(BatchNormTableOfFloat32, TakesEveryRow) {
    const CsvTable table("regression/tables/batch_norm.csv");
    ASSERT_EQ(table.rows(), 8U);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (const double value : valuesOf(table.text(row, "values"))) {
            EXPECT_EQ(roundTo(DType::Float32, value), value) << table.text(row, "values");
        }
    }
}

/// Pictures that are all white, and whose pixels stay 0 to 255: large, equal values in every layer.
class WhitePictures : public testing::TestWithParam<precision::Policy> {};

TEST_P(WhitePictures, StayFiniteForFiftySteps) {
    constexpr std::int64_t kBatch = 4;
    const auto device = makeTestBackend(2);
    nn::ConvNet network(device,
                        {.policy = GetParam(), .height = 32, .width = 32, .classes = 10, .batchCapacity = kBatch});
    network.initialize(1);
    const auto optimizer = optim::makeAdam(device, network.variables(), {});
    precision::LossScaler scaler;
    const bool scales = precision::traitsOf(GetParam()).dynamicLossScaling;
    train::TrainingStep step(*device, network, *optimizer, scales ? &scaler : nullptr);
    const std::vector<std::int64_t> labels{0, 1, 2, 3};
    for (int i = 1; i <= 50; ++i) {
        const tensor::Tensor& images = network.input(kBatch);
        device->upload(std::vector<float>(static_cast<std::size_t>(images.count()), 255.0F), images);
        EXPECT_TRUE(std::isfinite(step.run(labels).loss)) << "step " << i;
    }
    EXPECT_GE(optimizer->iterations(), 45) << "steps that were not skipped";
    for (const nn::Variable& variable : network.variables()) {
        for (const double value : fromDevice(*device, variable.value).values) {
            ASSERT_TRUE(std::isfinite(value)) << variable.name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, WhitePictures,
                         testing::Values(precision::Policy::Float32, precision::Policy::MixedFloat16,
                                         precision::Policy::MixedBFloat16),
                         [](const testing::TestParamInfo<precision::Policy>& policy) {
                             return std::string(precision::traitsOf(policy.param).name);
                         });

} // namespace
} // namespace halfstep::support
