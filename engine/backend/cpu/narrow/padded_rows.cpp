#include "engine/backend/cpu/narrow/padded_rows.h"
#include "engine/backend/cpu/elements.h"
#include <algorithm>

namespace halfstep::backend::cpu {
namespace {

/// From the first input that the first output sees to the last that the last one sees.
std::int64_t paddedWidth(const ConvolutionGeometry& g) {
    return (g.outputWidth() - 1) * g.stride + g.kernelWidth;
}

} // namespace

std::size_t PaddedRows::size(const ConvolutionGeometry& g) {
    return static_cast<std::size_t>(g.kernelHeight * paddedWidth(g) * g.channels);
}

PaddedRows::PaddedRows(const ConvolutionGeometry& geometry, const tensor::Tensor& x, const StorageKernels& kernels,
                       float* memory)
    : m_g(geometry),
      m_x(x),
      m_kernels(kernels),
      m_memory(memory),
      m_length(static_cast<std::size_t>(paddedWidth(geometry) * geometry.channels)) {
    const std::int64_t before = m_g.paddingWidth() / 2;
    m_before = static_cast<std::size_t>(before * m_g.channels);
    m_inside = static_cast<std::size_t>(std::min(m_g.width, paddedWidth(m_g) - before) * m_g.channels);
    std::fill_n(memory, size(geometry), 0.0f);
    m_held.fill(-1);
}

PaddedRows::Window PaddedRows::of(std::int64_t image, std::int64_t outputRow) {
    const std::int64_t top = outputRow * m_g.stride - m_g.paddingHeight() / 2;
    const std::int64_t first = std::max<std::int64_t>(top, 0), end = std::min(top + m_g.kernelHeight, m_g.height);
    Window window{.firstRow = static_cast<std::size_t>(first - top),
                  .rowCount = static_cast<std::size_t>(end - first),
                  .rows = {}};
    for (std::int64_t i = first; i < end; ++i) {
        window.rows[static_cast<std::size_t>(i - first)] = row(image * m_g.height + i);
    }
    return window;
}

/// Any kernelHeight rows that follow each other have a place each.
const float* PaddedRows::row(std::int64_t rowOfBatch) {
    const auto place = static_cast<std::size_t>(rowOfBatch % m_g.kernelHeight);
    float* const to = m_memory + place * m_length;
    if (m_held[place] != rowOfBatch) {
        const auto element = static_cast<std::size_t>(rowOfBatch * m_g.width * m_g.channels);
        m_kernels.toFloat(at(m_x, element), m_inside, to + m_before);
        m_held[place] = rowOfBatch;
    }
    return to;
}

} // namespace halfstep::backend::cpu
