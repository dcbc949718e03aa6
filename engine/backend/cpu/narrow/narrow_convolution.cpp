#include "engine/backend/cpu/narrow/narrow_convolution.h"
#include "engine/backend/cpu/elements.h"
#include "engine/backend/cpu/narrow/padded_rows.h"
#include <algorithm>

namespace halfstep::backend::cpu {
namespace {

using tensor::DType;
using tensor::Tensor;

/// Output rows that a thread makes in one go: enough to share most of the converted input rows.
constexpr std::int64_t kForwardRows = 16;
/// Output rows whose weight gradients are added up in float32, and how many such sums there are at most.
constexpr std::int64_t kBlockRows = 32;
constexpr std::int64_t kMostBlocks = 512;
/// Pixels whose products are added in one chain: 64 would cost a tenth of the time, in loads and stores of sums.
constexpr std::size_t kChain = 128;

std::size_t size(std::int64_t count) {
    return static_cast<std::size_t>(count);
}

std::int64_t partsOf(std::int64_t count, std::int64_t part) {
    return (count + part - 1) / part;
}

} // namespace

bool NarrowConvolution::fits(const ConvolutionGeometry& g) {
    constexpr std::int64_t kMostRows = kNarrowMaximumRows, kGroup = kNarrowGroup;
    return g.channels <= 4 && g.stride <= 2 && g.kernelHeight <= kMostRows && g.filters % kGroup == 0;
}

NarrowConvolution::NarrowConvolution(const ConvolutionGeometry& geometry, const ConvolutionTools& tools)
    : m_g(geometry),
      m_tools(tools) {}

void NarrowConvolution::forward(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y, ReserveSpace*) {
    float* const weights = m_tools.scratch.plainWeights.floats(m_tools.memory, countOf(w));
    m_tools.kernels.of(w.dtype).toFloat(w.data.get(), countOf(w), weights);
    float* const bias = m_tools.scratch.bias.floats(m_tools.memory, filters());
    m_tools.kernels.of(b.dtype).toFloat(b.data.get(), filters(), bias);

    const NarrowKernels& kernels = m_tools.kernels.narrow;
    const auto makeStrip = kernels.forward[static_cast<std::size_t>(y.dtype)];
    const std::int64_t rows = x.shape[0] * m_g.outputHeight();
    const std::size_t pixels = size(m_g.outputWidth());
    const std::size_t strips = (pixels + kernels.pixels - 1) / kernels.pixels;
    m_tools.pool.run(static_cast<int>(partsOf(rows, kForwardRows)), [&](int task, int index) {
        ConvolutionScratch::Worker& worker = m_tools.scratch.workers[size(index)];
        PaddedRows input(m_g, x, m_tools.kernels.of(x.dtype),
                         worker.rows.floats(m_tools.memory, PaddedRows::size(m_g)));
        NarrowStrip strip{.taps = taps(), .pixelStride = pixelStride(), .filters = filters(), .bias = bias};
        const std::int64_t first = task * kForwardRows, end = std::min(first + kForwardRows, rows);
        for (std::int64_t row = first; row < end; ++row) {
            const PaddedRows::Window window = input.of(row / m_g.outputHeight(), row % m_g.outputHeight());
            strip.rowCount = window.rowCount;
            strip.weights = weights + window.firstRow * taps() * filters();
            for (std::size_t part = 0; part < strips; ++part) {
                const std::size_t pixel = pixels * part / strips;
                strip.pixels = pixels * (part + 1) / strips - pixel;
                for (std::size_t i = 0; i < window.rowCount; ++i) {
                    strip.rows[i] = window.rows[i] + pixel * pixelStride();
                }
                strip.y = at(y, (size(row) * pixels + pixel) * filters());
                makeStrip(strip);
            }
        }
    });
}

void NarrowConvolution::correlateRows(const Tensor& x, const Tensor& dy, std::int64_t first, std::int64_t end,
                                      int index, float* sums) {
    ConvolutionScratch::Worker& worker = m_tools.scratch.workers[size(index)];
    PaddedRows input(m_g, x, m_tools.kernels.of(x.dtype), worker.rows.floats(m_tools.memory, PaddedRows::size(m_g)));
    const std::size_t pixels = size(m_g.outputWidth());
    NarrowCorrelation part{.pixelStride = pixelStride(), .taps = taps(), .filters = filters()};
    for (std::int64_t row = first; row < end; ++row) {
        const PaddedRows::Window window = input.of(row / m_g.outputHeight(), row % m_g.outputHeight());
        for (std::size_t pixel = 0; pixel < pixels; pixel += kChain) {
            part.pixels = std::min(kChain, pixels - pixel);
            const std::size_t element = (size(row) * pixels + pixel) * filters();
            if (dy.dtype == DType::Float32) {
                part.dy = dy.f32() + element;
            } else {
                float* const converted = worker.pixels.floats(m_tools.memory, kChain * filters());
                m_tools.kernels.of(dy.dtype).toFloat(at(dy, element), part.pixels * filters(), converted);
                part.dy = converted;
            }
            for (std::size_t i = 0; i < window.rowCount; ++i) {
                part.row = window.rows[i] + pixel * pixelStride();
                part.sums = sums + (window.firstRow + i) * taps() * filters();
                m_tools.kernels.narrow.correlate(part);
            }
        }
    }
}

void NarrowConvolution::backwardWeights(const Tensor& x, const Tensor& dy, const Tensor& dw, ReserveSpace*) {
    const std::int64_t rows = x.shape[0] * m_g.outputHeight();
    const std::int64_t blockRows = std::max(kBlockRows, partsOf(rows, kMostBlocks));
    const std::size_t blocks = size(partsOf(rows, blockRows)), count = countOf(dw);
    float* const sums = m_tools.scratch.chains.floats(m_tools.memory, blocks * count);
    m_tools.pool.run(static_cast<int>(blocks), [&](int block, int index) {
        float* const sumsOfBlock = sums + size(block) * count;
        std::fill_n(sumsOfBlock, count, 0.0f);
        correlateRows(x, dy, block * blockRows, std::min((block + 1) * blockRows, rows), index, sumsOfBlock);
    });

    constexpr std::size_t kTogether = 256;
    m_tools.pool.run(static_cast<int>((count + kTogether - 1) / kTogether), [&](int task, int) {
        const std::size_t first = size(task) * kTogether, together = std::min(kTogether, count - first);
        double totals[kTogether]{};
        for (std::size_t block = 0; block < blocks; ++block) {
            for (std::size_t i = 0; i < together; ++i) {
                totals[i] += static_cast<double>(sums[block * count + first + i]);
            }
        }
        float rounded[kTogether];
        std::transform(totals, totals + together, rounded, [](double total) { return static_cast<float>(total); });
        m_tools.kernels.of(dw.dtype).fromFloat(rounded, together, at(dw, first));
    });
}

void NarrowConvolution::backwardData(const Tensor& w, const Tensor& dy, const Tensor& dx, ReserveSpace*) {
    if (!m_dataGradient) {
        m_dataGradient = std::make_unique<DirectConvolution>(m_g, m_tools);
    }
    m_dataGradient->backwardData(w, dy, dx, nullptr);
}

} // namespace halfstep::backend::cpu
