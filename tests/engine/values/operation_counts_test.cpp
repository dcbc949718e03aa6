#include "engine/analysis/operation_counts.h"
#include <algorithm>
#include <gtest/gtest.h>

namespace halfstep::analysis {
namespace {

OperationCount countOf(const std::vector<StepOperation>& operations, const std::string& layer,
                       const std::string& operation) {
    const auto found = std::ranges::find_if(
        operations, [&](const StepOperation& o) { return o.layer == layer && o.operation == operation; });
    return found == operations.end() ? OperationCount{-1, -1} : found->count;
}

TEST(OperationCounts, TheArticlesConvolutionsHaveTheMultiplyAddsOfItsTable) {
    const StepShape step{.batch = 1};
    const double expected[] = {39'321'600, 411'041'792, 1'015'021'568};
    for (std::size_t layer = 0; layer < 3; ++layer) {
        const ConvolutionShape shape = convolutionOf(step, layer);
        EXPECT_EQ(directConvolution(shape, ConvolutionPass::BackwardWeights, 4).flops, 2 * expected[layer]);
        EXPECT_EQ(directConvolution(shape, ConvolutionPass::Forward, 4).flops - 2 * expected[layer],
                  2.0 * static_cast<double>(shape.outputs())); // bias and ReLU
    }
    EXPECT_EQ(convolutionOf(step, 2).outputs(), 32 * 32 * 128);
}

TEST(OperationCounts, AConvolutionTouchesEachOfItsTensorsOnce) {
    const ConvolutionShape shape{2, 5, 7, 3, 3, 4, 2}; // y is 3 x 4
    const double x = 2 * 5 * 7 * 3, w = 3 * 3 * 3 * 4, y = 2 * 3 * 4 * 4;
    EXPECT_EQ(directConvolution(shape, ConvolutionPass::Forward, 2).bytes, 2 * (x + w + y + 4));
    EXPECT_EQ(directConvolution(shape, ConvolutionPass::BackwardData, 4).bytes, 4 * (x + w + y));
}

TEST(OperationCounts, AStepOfTheArticleCostsAbout8Point7GigaflopAnImage) {
    double flops = 0;
    for (const StepOperation& operation : stepOperations({.batch = 1})) {
        flops += operation.count.flops;
    }
    EXPECT_NEAR(flops, 8.7e9, 0.05e9);
}

TEST(OperationCounts, SixteenBitsHalveTheBytesOfActivationsAndAddTheCastOfTheWeights) {
    const auto wide = stepOperations({}), narrow = stepOperations({.elementBytes = 2});
    EXPECT_EQ(narrow.size(), wide.size() + 1);
    EXPECT_EQ(countOf(wide, "variables", "cast").bytes, -1);
    const double weights = 2'432 + 100'416 + 991'360 + 1'290;
    EXPECT_EQ(countOf(narrow, "variables", "cast"), (OperationCount{0, 6 * weights}));
    EXPECT_EQ(countOf(narrow, "conv2d_2", "backward_data").bytes,
              countOf(wide, "conv2d_2", "backward_data").bytes / 2);
    EXPECT_EQ(countOf(narrow, "variables", "adam"), countOf(wide, "variables", "adam"));
}

TEST(OperationCounts, TheFirstLayerNeedsNoGradientOfTheImages) {
    EXPECT_EQ(countOf(stepOperations({}), "conv2d", "backward_data").flops, -1);
    EXPECT_GT(countOf(stepOperations({}), "conv2d_1", "backward_data").flops, 0);
}

TEST(OperationCounts, OddSizesAreHalvedUpwards) {
    const StepShape step{.batch = 1, .height = 9, .width = 7};
    EXPECT_EQ(convolutionOf(step, 1).height, 5);
    EXPECT_EQ(convolutionOf(step, 2).height, 3);
    EXPECT_EQ(convolutionOf(step, 2).width, 2);
    EXPECT_EQ(convolutionOf(step, 2).outputs(), 2 * 1 * 128);
}

TEST(OperationCounts, TheSlowerOfArithmeticAndMemoryIsTheLeastTime) {
    EXPECT_EQ(leastSeconds({100, 10}, 50, 10), 2);
    EXPECT_EQ(leastSeconds({100, 40}, 50, 10), 4);
}

} // namespace
} // namespace halfstep::analysis
