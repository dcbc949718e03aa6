#pragma once
#include "engine/backend/cpu/convolution.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/narrow/narrow_kernels.h"
#include "engine/tensor/tensor.h"
#include <array>
#include <cstddef>
#include <cstdint>

namespace halfstep::backend::cpu {

/// The input rows that one output row is made of, as float32 and between the zeros of padding "same". Rows are
/// converted when first asked for; of those that the next output row shares, none is converted again.
class PaddedRows {
public:
    /// Floats of `memory`.
    static std::size_t size(const ConvolutionGeometry& geometry);
    /// Rows of x [images, H, W, C], whose storage dtype `kernels` read.
    PaddedRows(const ConvolutionGeometry& geometry, const tensor::Tensor& x, const StorageKernels& kernels,
               float* memory);

    /// Those of the kernel's rows from firstRow that lie inside the image, for one output row.
    struct Window {
        std::size_t firstRow = 0, rowCount = 0;
        std::array<const float*, kNarrowMaximumRows> rows{};
    };
    Window of(std::int64_t image, std::int64_t outputRow);

private:
    const float* row(std::int64_t rowOfBatch);

    const ConvolutionGeometry& m_g;
    const tensor::Tensor& m_x;
    const StorageKernels& m_kernels;
    float* m_memory;
    std::size_t m_length, m_before, m_inside;
    std::array<std::int64_t, kNarrowMaximumRows> m_held;
};

} // namespace halfstep::backend::cpu
