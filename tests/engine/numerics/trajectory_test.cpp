#include "engine/train/training_step.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/convnet_case.h"
#include "tests/support/csv_table.h"
#include "tests/support/random_numbers.h"
#include "tests/support/tolerance.h"
#include <cmath>
#include <cstdio>
#include <tuple>

/// Fifty training steps against PyTorch (tests/golden/make_trajectory.py).
namespace halfstep::support {
namespace {

constexpr std::int64_t kSize = 28;
constexpr std::int64_t kPictures = 64;
constexpr std::int64_t kBatch = 8;
constexpr double kFloat16LossScale = 1024;

/// Weights and 64 pictures of 10 classes, which differ by their brightness; make_trajectory.py draws the same.
ConvnetCase drawTrajectorySet() {
    RandomNumbers numbers(3);
    ConvnetCase drawn{drawConvnetWeights(numbers), zeros({kPictures, kSize, kSize, 3}), {}};
    drawn.images.values.clear();
    for (std::int64_t i = 0; i < kPictures; ++i) {
        drawn.labels.push_back(i % 10);
        const double darkest = 0.05 * static_cast<double>(i % 10);
        const Array picture = numbers.array({1, kSize, kSize, 3}, darkest, darkest + 0.5);
        drawn.images.values.insert(drawn.images.values.end(), picture.values.begin(), picture.values.end());
    }
    return drawn;
}

class Trajectory : public testing::TestWithParam<std::tuple<precision::Policy, std::string>> {
protected:
    precision::Policy policy() const { return std::get<0>(GetParam()); }
    std::vector<double> losses(std::size_t steps) const {
        const auto device = makeTestBackend(2, std::get<1>(GetParam()));
        nn::ConvNet network(
            device, {.policy = policy(), .height = kSize, .width = kSize, .classes = 10, .batchCapacity = kBatch});
        const ConvnetCase drawn = drawTrajectorySet();
        for (nn::Variable& variable : network.variables()) {
            const std::vector<double>& values = drawn.weights.at(variable.name).values;
            device->upload(std::vector<float>(values.begin(), values.end()), variable.value);
        }
        const auto optimizer = optim::makeAdam(device, network.variables(), {.learningRate = 1e-4});
        precision::LossScaler scaler({.initialScale = kFloat16LossScale});
        const bool scales = precision::traitsOf(policy()).dynamicLossScaling;
        train::TrainingStep step(*device, network, *optimizer, scales ? &scaler : nullptr);
        std::vector<double> result;
        for (std::size_t i = 0; i < steps; ++i) {
            const std::int64_t first = static_cast<std::int64_t>(i) * kBatch % kPictures;
            const auto* pixels = drawn.images.values.data() + first * kSize * kSize * 3;
            device->upload(std::vector<float>(pixels, pixels + kBatch * kSize * kSize * 3), network.input(kBatch));
            const train::StepOutcome outcome = step.run({&drawn.labels[static_cast<std::size_t>(first)], kBatch});
            EXPECT_TRUE(outcome.gradientsFinite) << "step " << i + 1;
            result.push_back(outcome.loss);
        }
        return result;
    }
};

TEST_P(Trajectory, TheLossOfEveryStepFollowsPyTorch) {
    const CsvTable expected("golden/trajectory_28x28.csv");
    ASSERT_EQ(expected.rows(), 50U);
    const std::vector<double> got = losses(expected.rows());
    double largest = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double right = expected.number(i, std::string(precision::traitsOf(policy()).name));
        const double error = std::abs(got[i] - right);
        EXPECT_LE(error, trajectoryTolerance(policy()))
            << "step " << i + 1 << ": " << got[i] << ", PyTorch " << right;
        largest = std::max(largest, error);
    }
    std::printf("largest error of a loss: %.1e\n", largest);
}

INSTANTIATE_TEST_SUITE_P(Cpu, Trajectory,
                         testing::Combine(testing::Values(precision::Policy::Float32, precision::Policy::MixedFloat16,
                                                          precision::Policy::MixedBFloat16),
                                          testing::Values("direct", "fft")),
                         [](const testing::TestParamInfo<Trajectory::ParamType>& run) {
                             return std::string(precision::traitsOf(std::get<0>(run.param)).name) + "_" +
                                    std::get<1>(run.param);
                         });

} // namespace
} // namespace halfstep::support
