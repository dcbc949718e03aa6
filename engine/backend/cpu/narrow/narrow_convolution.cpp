#include "engine/backend/cpu/narrow/narrow_convolution.h"
#include "engine/backend/cpu/elements.h"
#include "engine/backend/cpu/narrow/padded_rows.h"
#include "engine/backend/cpu/one_dnn.h"
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

std::int64_t partsOf(std::int64_t count, std::int64_t part) {
    return (count + part - 1) / part;
}

} // namespace

bool NarrowConvolution::fits(const ConvolutionGeometry& g) {
    constexpr std::int64_t kMostRows = kNarrowMaximumRows;
    return g.channels <= 4 && g.stride <= 2 && g.kernelHeight <= kMostRows;
}

NarrowConvolution::NarrowConvolution(const ConvolutionGeometry& geometry, const ConvolutionTools& tools)
    : m_g(geometry),
      m_tools(tools) {}

void NarrowConvolution::prepareWorkers(std::size_t pixels) {
    for (ConvolutionScratch::Worker& worker : m_tools.scratch.workers) {
        worker.rows.floats(m_tools.memory, PaddedRows::size(m_g));
        worker.pixels.floats(m_tools.memory, pixels);
    }
}

void NarrowConvolution::wholeGroups(const Tensor& rows, std::int64_t first, std::size_t count, float* to) {
    const StorageKernels& kernels = m_tools.kernels.of(rows.dtype);
    if (wholeFilters() == filters()) {
        kernels.toFloat(at(rows, size(first) * filters()), count * filters(), to);
        return;
    }
    for (std::size_t row = 0; row < count; ++row, to += wholeFilters()) {
        kernels.toFloat(at(rows, (size(first) + row) * filters()), filters(), to);
        std::fill(to + filters(), to + wholeFilters(), 0.0f);
    }
}

ConvolutionAlgorithms NarrowConvolution::algorithms(DType, std::int64_t) const {
    const std::string text = "direct, few channels";
    return {text, text, "direct, oneDNN " + oneDnnVersionText()};
}

void NarrowConvolution::forward(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y, ReserveSpace*) {
    const std::size_t weightRows = size(m_g.kernelHeight) * taps();
    float* const weights = m_tools.scratch.plainWeights.floats(m_tools.memory, weightRows * wholeFilters());
    float* const bias = m_tools.scratch.bias.floats(m_tools.memory, wholeFilters());
    m_tools.pool.run(1, [&](std::int64_t, int) {
        wholeGroups(w, 0, weightRows, weights);
        wholeGroups(b, 0, 1, bias);
    });
    const bool whole = wholeFilters() == filters();
    prepareWorkers(whole ? 0 : m_tools.kernels.narrow.pixels * wholeFilters());

    const NarrowKernels& kernels = m_tools.kernels.narrow;
    const auto makeStrip = kernels.forward[static_cast<std::size_t>(y.dtype)];
    const std::int64_t rows = x.shape[0] * m_g.outputHeight();
    const std::size_t pixels = size(m_g.outputWidth());
    const std::size_t strips = (pixels + kernels.pixels - 1) / kernels.pixels;
    m_tools.pool.run(partsOf(rows, kForwardRows), [&](std::int64_t task, int index) {
        ConvolutionScratch::Worker& worker = m_tools.scratch.workers[size(index)];
        PaddedRows input(m_g, x, m_tools.kernels.of(x.dtype),
                         worker.rows.floats(m_tools.memory, PaddedRows::size(m_g)));
        NarrowStrip strip{.taps = taps(), .pixelStride = pixelStride(), .filters = wholeFilters(), .bias = bias};
        const std::size_t pixelBytes = filters() * tensor::bytesOf(y.dtype);
        const std::size_t wholeBytes = wholeFilters() * tensor::bytesOf(y.dtype);
        if (!whole) {
            strip.y = worker.pixels.floats(m_tools.memory, kernels.pixels * wholeFilters());
        }
        const std::int64_t first = task * kForwardRows, end = std::min(first + kForwardRows, rows);
        for (std::int64_t row = first; row < end; ++row) {
            const PaddedRows::Window window = input.of(row / m_g.outputHeight(), row % m_g.outputHeight());
            strip.rowCount = window.rowCount;
            strip.weights = weights + window.firstRow * taps() * wholeFilters();
            for (std::size_t part = 0; part < strips; ++part) {
                const std::size_t pixel = pixels * part / strips;
                strip.pixels = pixels * (part + 1) / strips - pixel;
                for (std::size_t i = 0; i < window.rowCount; ++i) {
                    strip.rows[i] = window.rows[i] + pixel * pixelStride();
                }
                std::byte* const to = at(y, (size(row) * pixels + pixel) * filters());
                if (whole) {
                    strip.y = to;
                }
                makeStrip(strip);
                for (std::size_t i = 0; !whole && i < strip.pixels; ++i) {
                    std::copy_n(static_cast<const std::byte*>(strip.y) + i * wholeBytes, pixelBytes,
                                to + i * pixelBytes);
                }
            }
        }
    });
}

void NarrowConvolution::correlateRows(const Tensor& x, const Tensor& dy, std::int64_t first, std::int64_t end,
                                      int index, float* sums) {
    ConvolutionScratch::Worker& worker = m_tools.scratch.workers[size(index)];
    PaddedRows input(m_g, x, m_tools.kernels.of(x.dtype), worker.rows.floats(m_tools.memory, PaddedRows::size(m_g)));
    const std::size_t pixels = size(m_g.outputWidth());
    NarrowCorrelation part{.pixelStride = pixelStride(), .taps = taps(), .filters = wholeFilters()};
    for (std::int64_t row = first; row < end; ++row) {
        const PaddedRows::Window window = input.of(row / m_g.outputHeight(), row % m_g.outputHeight());
        for (std::size_t pixel = 0; pixel < pixels; pixel += kChain) {
            part.pixels = std::min(kChain, pixels - pixel);
            const std::size_t place = size(row) * pixels + pixel;
            if (dy.dtype == DType::Float32 && wholeFilters() == filters()) {
                part.dy = dy.f32() + place * filters();
            } else {
                float* const converted = worker.pixels.floats(m_tools.memory, kChain * wholeFilters());
                wholeGroups(dy, static_cast<std::int64_t>(place), part.pixels, converted);
                part.dy = converted;
            }
            for (std::size_t i = 0; i < window.rowCount; ++i) {
                part.row = window.rows[i] + pixel * pixelStride();
                part.sums = sums + (window.firstRow + i) * taps() * wholeFilters();
                m_tools.kernels.narrow.correlate(part);
            }
        }
    }
}

void NarrowConvolution::backwardWeights(const Tensor& x, const Tensor& dy, const Tensor& dw, ReserveSpace*) {
    prepareWorkers(dy.dtype == DType::Float32 && wholeFilters() == filters() ? 0 : kChain * wholeFilters());
    const std::int64_t rows = x.shape[0] * m_g.outputHeight();
    const std::int64_t blockRows = std::max(kBlockRows, partsOf(rows, kMostBlocks));
    const std::size_t blocks = size(partsOf(rows, blockRows));
    const std::size_t count = size(m_g.kernelHeight) * taps() * wholeFilters();
    float* const sums = m_tools.scratch.chains.floats(m_tools.memory, blocks * count);
    m_tools.pool.run(static_cast<std::int64_t>(blocks), [&](std::int64_t block, int index) {
        float* const sumsOfBlock = sums + size(block) * count;
        std::fill_n(sumsOfBlock, count, 0.0f);
        correlateRows(x, dy, block * blockRows, std::min((block + 1) * blockRows, rows), index, sumsOfBlock);
    });

    constexpr std::size_t kTogether = 256;
    m_tools.pool.run(static_cast<std::int64_t>((count + kTogether - 1) / kTogether), [&](std::int64_t task, int) {
        const std::size_t first = size(task) * kTogether, together = std::min(kTogether, count - first);
        double totals[kTogether]{};
        for (std::size_t block = 0; block < blocks; ++block) {
            for (std::size_t i = 0; i < together; ++i) {
                totals[i] += static_cast<double>(sums[block * count + first + i]);
            }
        }
        float rounded[kTogether];
        std::transform(totals, totals + together, rounded, [](double total) { return static_cast<float>(total); });
        storeGradients(rounded, first, together, dw);
    });
}

void NarrowConvolution::storeGradients(const float* values, std::size_t first, std::size_t count, const Tensor& dw) {
    const StorageKernels& kernels = m_tools.kernels.of(dw.dtype);
    if (wholeFilters() == filters()) {
        kernels.fromFloat(values, count, at(dw, first));
        return;
    }
    for (std::size_t group = first; group < first + count; group += kNarrowGroup) {
        const std::size_t row = group / wholeFilters(), filter = group % wholeFilters();
        kernels.fromFloat(values + (group - first), std::min(kNarrowGroup, filters() - filter),
                          at(dw, row * filters() + filter));
    }
}

void NarrowConvolution::backwardData(const Tensor& w, const Tensor& dy, const Tensor& dx, ReserveSpace*) {
    if (!m_dataGradient) {
        m_dataGradient = std::make_unique<DirectConvolution>(m_g, m_tools);
    }
    m_dataGradient->backwardData(w, dy, dx, nullptr);
}

} // namespace halfstep::backend::cpu
