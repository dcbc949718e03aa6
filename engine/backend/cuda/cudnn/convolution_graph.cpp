#include "engine/backend/cuda/cudnn/convolution_graph.h"
#include <algorithm>

namespace halfstep::backend::cuda {
namespace {

using Sizes = std::array<std::int64_t, 4>;

constexpr std::int64_t kAlignment = 16; // bytes; what the widest loads need, and device memory has more

cudnnDataType_t storedAs(Arithmetic arithmetic) {
    switch (arithmetic) {
    case Arithmetic::Float16:
        return CUDNN_DATA_HALF;
    case Arithmetic::BFloat16:
        return CUDNN_DATA_BFLOAT16;
    default:
        return CUDNN_DATA_FLOAT;
    }
}

/// Channels lie innermost.
Sizes stridesOf(const Sizes& nchw) {
    return {nchw[1] * nchw[2] * nchw[3], 1, nchw[1] * nchw[3], nchw[1]};
}

Descriptor tensor(const std::shared_ptr<const CudnnLibrary>& library, std::int64_t id, cudnnDataType_t type,
                  const Sizes& nchw, bool onlyInside) {
    Descriptor made(library, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    made.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, id);
    made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, type);
    made.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, kAlignment);
    made.set(CUDNN_ATTR_TENSOR_DIMENSIONS, std::span<const std::int64_t>(nchw));
    made.set(CUDNN_ATTR_TENSOR_STRIDES, std::span<const std::int64_t>(stridesOf(nchw)));
    made.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, onlyInside);
    made.finalize("a tensor");
    return made;
}

} // namespace

std::string_view nameOf(Arithmetic arithmetic) {
    switch (arithmetic) {
    case Arithmetic::Float32:
        return "float32";
    case Arithmetic::TensorFloat32:
        return "tf32";
    case Arithmetic::Float16:
        return "float16";
    case Arithmetic::BFloat16:
        return "bfloat16";
    }
    return "?";
}

AxisGeometry axisGeometry(std::int64_t size, std::int64_t kernel, const ConvolutionOptions& options) {
    if (options.padding == Padding::Valid) {
        return {(size - kernel) / options.stride + 1, 0, 0};
    }
    const std::int64_t outputs = (size + options.stride - 1) / options.stride;
    const std::int64_t zeros = std::max<std::int64_t>((outputs - 1) * options.stride + kernel - size, 0);
    return {outputs, zeros / 2, zeros - zeros / 2};
}

ConvolutionGraph::ConvolutionGraph(std::shared_ptr<const CudnnLibrary> library, const ConvolutionProblem& problem,
                                   cudnnHandle_t handle)
    : m_library(std::move(library)),
      m_problem(problem) {
    const Shape& x = problem.x;
    const Shape& w = problem.w;
    const AxisGeometry height = axisGeometry(x[1], w[0], problem.options);
    const AxisGeometry width = axisGeometry(x[2], w[1], problem.options);
    const Sizes outputs{x[0], w[3], height.outputs, width.outputs};

    const std::size_t images = addTensor(TensorId::X, {x[0], x[3], x[1], x[2]});
    const std::size_t kernels = addTensor(TensorId::W, {w[3], w[2], w[0], w[1]});
    const std::size_t results = addTensor(TensorId::Y, outputs);
    const std::size_t convolution = addConvolution(height, width);
    const std::vector<std::size_t> operations =
        problem.pass == ConvolutionPass::Forward
            ? addForward(convolution, images, kernels, results, outputs)
            : std::vector<std::size_t>{addGradient(convolution, images, kernels, results)};

    std::vector<cudnnBackendDescriptor_t> pointers;
    for (const std::size_t operation : operations) {
        pointers.push_back(m_parts[operation].get());
    }
    Descriptor& graph = add(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    if (handle != nullptr) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // versions before 9.8 know no other way to name the card
        graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, handle);
#pragma GCC diagnostic pop
    }
    graph.setAll(CUDNN_ATTR_OPERATIONGRAPH_OPS, pointers);
    graph.finalize("the graph of a convolution");
}

Descriptor& ConvolutionGraph::add(cudnnBackendDescriptorType_t type) {
    return m_parts.emplace_back(m_library, type);
}

std::size_t ConvolutionGraph::addTensor(TensorId id, const Sizes& nchw) {
    m_parts.push_back(tensor(m_library, static_cast<std::int64_t>(id), storedAs(m_problem.arithmetic), nchw, false));
    return m_parts.size() - 1;
}

std::size_t ConvolutionGraph::addSums(const Sizes& nchw) {
    m_parts.push_back(tensor(m_library, m_nextId++, CUDNN_DATA_FLOAT, nchw, true));
    return m_parts.size() - 1;
}

std::size_t ConvolutionGraph::addConvolution(const AxisGeometry& height, const AxisGeometry& width) {
    using Pair = std::array<std::int64_t, 2>;
    const auto set = [](Descriptor& to, cudnnBackendAttributeName_t name, const Pair& values) {
        to.set(name, std::span<const std::int64_t>(values));
    };
    const std::int64_t stride = m_problem.options.stride;
    Descriptor& made = add(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    made.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, std::int64_t{2});
    made.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT);
    made.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION);
    set(made, CUDNN_ATTR_CONVOLUTION_DILATIONS, {1, 1});
    set(made, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {stride, stride});
    set(made, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {height.before, width.before});
    set(made, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {height.after, width.after});
    made.finalize("a convolution");
    return m_parts.size() - 1;
}

std::size_t ConvolutionGraph::addPointwise(cudnnPointwiseMode_t mode, std::size_t x, const std::size_t* b,
                                           std::size_t y) {
    Descriptor kind(m_library, CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    kind.set(CUDNN_ATTR_POINTWISE_MODE, mode);
    kind.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT);
    kind.finalize("bias and ReLU");
    Descriptor made(m_library, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    made.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, kind);
    made.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, m_parts[x]);
    if (b != nullptr) {
        made.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, m_parts[*b]);
    }
    made.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, m_parts[y]);
    made.finalize("bias and ReLU");
    m_parts.push_back(std::move(kind));
    m_parts.push_back(std::move(made));
    return m_parts.size() - 1;
}

std::vector<std::size_t> ConvolutionGraph::addForward(std::size_t convolution, std::size_t x, std::size_t w,
                                                      std::size_t y, const Sizes& outputs) {
    // Of the tensors' type, not float32: only for such a bias cuDNN has precompiled kernels.
    const std::size_t bias = addTensor(TensorId::B, {1, outputs[1], 1, 1});
    const std::size_t sums = addSums(outputs);
    const std::size_t biased = addSums(outputs);
    Descriptor made(m_library, CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, m_parts[convolution]);
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, m_parts[x]);
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, m_parts[w]);
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, m_parts[sums]);
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, 1.0F);
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, 0.0F);
    made.finalize("a convolution");
    m_parts.push_back(std::move(made));
    const std::size_t forward = m_parts.size() - 1;
    const std::size_t add = addPointwise(CUDNN_POINTWISE_ADD, sums, &bias, biased);
    return {forward, add, addPointwise(CUDNN_POINTWISE_RELU_FWD, biased, nullptr, y)};
}

std::size_t ConvolutionGraph::addGradient(std::size_t convolution, std::size_t x, std::size_t w, std::size_t y) {
    const bool ofData = m_problem.pass == ConvolutionPass::BackwardData;
    Descriptor made(m_library, ofData ? CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR
                                      : CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR);
    const auto of = [ofData](cudnnBackendAttributeName_t data, cudnnBackendAttributeName_t weights) {
        return ofData ? data : weights;
    };
    made.set(of(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC),
             m_parts[convolution]);
    made.set(of(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X),
             m_parts[x]);
    made.set(of(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW),
             m_parts[w]);
    made.set(of(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY),
             m_parts[y]);
    made.set(of(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA),
             1.0F);
    made.set(of(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA),
             0.0F);
    made.finalize("a gradient of a convolution");
    m_parts.push_back(std::move(made));
    return m_parts.size() - 1;
}

} // namespace halfstep::backend::cuda
