#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace halfstep::analysis {

/// What an operation needs at least: arithmetic, and memory if every tensor passes once, caches or not.
struct OperationCount {
    double flops = 0; ///< float32 operations; a multiply-add is two
    double bytes = 0; ///< that are read and written

    OperationCount& operator+=(const OperationCount& other) {
        flops += other.flops;
        bytes += other.bytes;
        return *this;
    }
    bool operator==(const OperationCount&) const = default;
};

/// Seconds below which no machine with these rates can do it (the roofline model): the slower of arithmetic, at
/// `flopsPerSecond`, and memory, at `bytesPerSecond`.
double leastSeconds(const OperationCount& count, double flopsPerSecond, double bytesPerSecond);

/// x [batch, height, width, channels], w [kernel, kernel, channels, filters], padding "same": a padded tap counts
/// like another, as in a table of multiply-adds.
struct ConvolutionShape {
    std::int64_t batch = 1, height = 0, width = 0, channels = 0, kernel = 0, filters = 0, stride = 1;

    std::int64_t outputs() const; ///< elements of y
    std::int64_t inputs() const;  ///< of x
    std::int64_t weights() const;
};

enum class ConvolutionPass { Forward, BackwardWeights, BackwardData };

/// One pass by direct summation, bias and ReLU with the forward one; all tensors have `elementBytes`.
OperationCount directConvolution(const ConvolutionShape& shape, ConvolutionPass pass, int elementBytes);

/// The network of a training step, and how many bytes a policy stores.
struct StepShape {
    struct Layer {
        std::int64_t filters = 0, kernel = 0;
    };

    std::int64_t batch = 32, height = 256, width = 256, classes = 10;
    std::vector<Layer> layers{{32, 5}, {64, 7}, {128, 11}}; ///< the article's, each with stride 2
    int elementBytes = 4;                                   ///< of activations, their gradients, copies of weights
    int variableBytes = 4;                                  ///< of weights and optimizer state
};

/// The convolution of one layer; `index` from 0.
ConvolutionShape convolutionOf(const StepShape& step, std::size_t index);

struct StepOperation {
    std::string layer;     ///< as Keras calls it: "conv2d_1"; "variables" for what is done to all of them
    std::string operation; ///< "forward", "backward_data", "adam", ...
    OperationCount count;
};

/// Every operation of a training step, from uint8 images to updated weights, in the order in which they are done.
std::vector<StepOperation> stepOperations(const StepShape& step);

} // namespace halfstep::analysis
