#pragma once
#include "engine/backend/cpu/convolution.h"
#include "engine/backend/cpu/direct_convolution.h"
#include "engine/backend/cpu/narrow/narrow_kernels.h"
#include <cstddef>
#include <memory>

namespace halfstep::backend::cpu {

/// Direct convolutions of few input channels, as a network's first layer is one: from the tensors as they are,
/// without a copy of the batch in another layout or dtype.
///
/// The data gradient, which a first layer never needs, is DirectConvolution's.
class NarrowConvolution final : public Convolution {
public:
    /// At most 4 channels, 11 kernel rows and stride 2.
    static bool fits(const ConvolutionGeometry& geometry);

    NarrowConvolution(const ConvolutionGeometry& geometry, const ConvolutionTools& tools);

    ConvolutionAlgorithms algorithms(DType dtype, std::int64_t batch) const override;
    void forward(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y, ReserveSpace* reserve) override;
    /// Sums of 128 pixels of a row make one chain; these are added up over some rows, and those sums in double.
    void backwardWeights(const Tensor& x, const Tensor& dy, const Tensor& dw, ReserveSpace* reserve) override;
    void backwardData(const Tensor& w, const Tensor& dy, const Tensor& dx, ReserveSpace* reserve) override;

private:
    /// Products of one kernel row in one output.
    std::size_t taps() const { return static_cast<std::size_t>(m_g.kernelWidth * m_g.channels); }
    std::size_t filters() const { return static_cast<std::size_t>(m_g.filters); }
    /// In whole groups, as the kernels take them: those behind the real ones are 0.
    std::size_t wholeFilters() const { return (filters() + kNarrowGroup - 1) / kNarrowGroup * kNarrowGroup; }
    std::size_t pixelStride() const { return static_cast<std::size_t>(m_g.stride * m_g.channels); }
    /// Gives every thread its scratch memory, so that which thread takes which task changes no memory count.
    void prepareWorkers(std::size_t pixels);
    /// `count` rows of filters from row `first` on, as float32 and in whole groups.
    void wholeGroups(const tensor::Tensor& rows, std::int64_t first, std::size_t count, float* to);
    /// The other way, for `count` gradients from `first` on, both multiples of a group.
    void storeGradients(const float* values, std::size_t first, std::size_t count, const tensor::Tensor& dw);
    /// The sums of output rows [first, end) of the whole batch.
    void correlateRows(const tensor::Tensor& x, const tensor::Tensor& dy, std::int64_t first, std::int64_t end,
                       int worker, float* sums);

    ConvolutionGeometry m_g;
    ConvolutionTools m_tools;
    std::unique_ptr<DirectConvolution> m_dataGradient; ///< made when first asked for
};

} // namespace halfstep::backend::cpu
