#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cuda/cudnn/cudnn_descriptor.h"

namespace halfstep::backend::cuda {

enum class ConvolutionPass { Forward, BackwardWeights, BackwardData };

/// What the products of a convolution are made in; their sums are float32.
enum class Arithmetic {
    Float32,       ///< strictly: no Tensor Cores
    TensorFloat32, ///< of float32 tensors, on Tensor Cores: 10 bits of their fractions
    Float16,
    BFloat16
};

/// "float32", "tf32", "float16", "bfloat16".
std::string_view nameOf(Arithmetic arithmetic);

/// One pass of one convolution, whole: x [N, H, W, C], w [R, S, C, K], as backend.h defines them.
struct ConvolutionProblem {
    ConvolutionPass pass = ConvolutionPass::Forward;
    Shape x, w;
    ConvolutionOptions options;
    Arithmetic arithmetic = Arithmetic::Float32;
};

/// Outputs, and zeros before and after, along one axis.
struct AxisGeometry {
    std::int64_t outputs = 0, before = 0, after = 0;
};
AxisGeometry axisGeometry(std::int64_t size, std::int64_t kernel, const ConvolutionOptions& options);

/// How tensors are called when a plan is executed: y is dy and x is dx, w is dw in the passes backward.
enum class TensorId : std::int64_t { X = 1, W = 2, B = 3, Y = 4 };

/// A pass as cuDNN's graph of operations: convolution, bias and ReLU, or a gradient. Images are NHWC, kernels
/// [K, R, S, C]; the sums between the operations stay float32, and the result is rounded once.
class ConvolutionGraph {
public:
    /// With a null handle the graph is for a card described in JSON. Throws BackendError where cuDNN refuses.
    ConvolutionGraph(std::shared_ptr<const CudnnLibrary> library, const ConvolutionProblem& problem,
                     cudnnHandle_t handle);

    const Descriptor& descriptor() const { return m_parts.back(); }
    const ConvolutionProblem& problem() const { return m_problem; }

private:
    Descriptor& add(cudnnBackendDescriptorType_t type);
    std::size_t addTensor(TensorId id, const std::array<std::int64_t, 4>& nchw);
    std::size_t addSums(const std::array<std::int64_t, 4>& nchw);
    std::size_t addConvolution(const AxisGeometry& height, const AxisGeometry& width);
    std::size_t addPointwise(cudnnPointwiseMode_t mode, std::size_t x, const std::size_t* b, std::size_t y);
    std::vector<std::size_t> addForward(std::size_t convolution, std::size_t x, std::size_t w, std::size_t y,
                                        const std::array<std::int64_t, 4>& outputs);
    std::size_t addGradient(std::size_t convolution, std::size_t x, std::size_t w, std::size_t y);

    std::shared_ptr<const CudnnLibrary> m_library;
    ConvolutionProblem m_problem;
    std::vector<Descriptor> m_parts; ///< what the graph refers to, and the graph as the last
    std::int64_t m_nextId = 100;     ///< of tensors that exist only inside the graph
};

} // namespace halfstep::backend::cuda
