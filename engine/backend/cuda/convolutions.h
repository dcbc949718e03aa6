#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cuda/device_scratch.h"

namespace halfstep::backend::cuda {

/// How a card does convolutions: the verbs of Backend, with the scratch memory that they need.
class Convolutions {
public:
    virtual ~Convolutions() = default;

    virtual void forward(const Tensor& x, const Tensor& w, const Tensor& b, const ConvolutionOptions& options,
                         const Tensor& y, DeviceScratch& scratch) = 0;
    virtual void backwardWeights(const Tensor& x, const Tensor& dy, const ConvolutionOptions& options,
                                 const Tensor& dw, DeviceScratch& scratch) = 0;
    virtual void backwardData(const Tensor& w, const Tensor& dy, const ConvolutionOptions& options, const Tensor& dx,
                              DeviceScratch& scratch) = 0;
    virtual ConvolutionAlgorithms algorithms(const Shape& x, const Shape& w, const ConvolutionOptions& options,
                                             DType dtype) = 0;
    /// Scratch bytes that the hungriest of the three passes asks for.
    virtual std::size_t scratchBytes(const Shape& x, const Shape& w, const ConvolutionOptions& options,
                                     DType dtype) = 0;
};

} // namespace halfstep::backend::cuda
