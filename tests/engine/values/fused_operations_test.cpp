#include "engine/analysis/fused_operations.h"
#include <algorithm>
#include <gmock/gmock.h>

namespace halfstep::analysis {
namespace {

OperationCount countOf(const std::vector<StepOperation>& operations, const std::string& layer,
                       const std::string& operation) {
    const auto found = std::ranges::find_if(
        operations, [&](const StepOperation& o) { return o.layer == layer && o.operation == operation; });
    EXPECT_NE(found, operations.end()) << layer << " " << operation;
    return found == operations.end() ? OperationCount{} : found->count;
}

OperationCount totalOf(const std::vector<StepOperation>& operations) {
    OperationCount total;
    for (const StepOperation& operation : operations) {
        total += operation.count;
    }
    return total;
}

TEST(FusedOperations, DoTheSameArithmeticWithFewerBytes) {
    for (const int bytes : {4, 2}) {
        StepShape step;
        step.elementBytes = bytes;
        const OperationCount separate = totalOf(stepOperations(step)), fused = totalOf(fusedStepOperations(step));
        EXPECT_DOUBLE_EQ(fused.flops, separate.flops);
        EXPECT_LT(fused.bytes, separate.bytes);
    }
}

TEST(FusedOperations, ATensorPassesOnceAPass) {
    const auto operations = fusedStepOperations({.batch = 2, .height = 16, .width = 16, .classes = 10});
    const double first = 2 * 8 * 8 * 32 * 4.0, last = 2 * 2 * 2 * 128 * 4.0, means = 2 * 128 * 4.0;
    EXPECT_EQ(countOf(operations, "batch_normalization", "forward").bytes, 2 * first);
    EXPECT_EQ(countOf(operations, "batch_normalization", "backward_relu").bytes, 3 * first);
    EXPECT_EQ(countOf(operations, "batch_normalization_2", "forward_pooling").bytes, last + means);
    EXPECT_EQ(countOf(operations, "batch_normalization_2", "backward_pooling_relu").bytes, 2 * last + means);
}

TEST(FusedOperations, NoneIsLeftThatTheStepDoesNotMake) {
    for (const StepOperation& operation : fusedStepOperations({})) {
        EXPECT_NE(operation.layer, "global_average_pooling2d");
        EXPECT_NE(operation.operation, "relu_backward");
        EXPECT_NE(operation.operation, "adam");
    }
}

TEST(FusedOperations, PlainGradientDescentReadsAGradientAndMovesAWeight) {
    const double variables = countOf(fusedStepOperations({}), "variables", "unscale").flops;
    const OperationCount sgd = countOf(fusedStepOperations({}, values::OptimizerKind::Sgd), "variables", "optimizer");
    EXPECT_DOUBLE_EQ(sgd.flops, 2 * variables);
    EXPECT_DOUBLE_EQ(sgd.bytes, 3 * 4 * variables);
}

TEST(StepShape, IsWhatTheConfigurationAsksFor) {
    values::ExperimentConfig config;
    config.policy = precision::Policy::MixedBFloat16;
    config.batchSize = 7;
    config.imageSize = 64;
    const StepShape step = stepShapeOf(config, 5);
    EXPECT_EQ(step.batch, 7);
    EXPECT_EQ(step.width, 64);
    EXPECT_EQ(step.classes, 5);
    EXPECT_EQ(step.elementBytes, 2);
    EXPECT_EQ(step.variableBytes, 4);
    config.policy = precision::Policy::Float16;
    EXPECT_EQ(stepShapeOf(config, 5).variableBytes, 2);
}

} // namespace
} // namespace halfstep::analysis
