// The verbs of CpuBackend for global average pooling, and batch normalization's passes beside it: the tensor between
// the two is made a piece at a time, in a worker's scratch, and never reaches memory.
#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/elements.h"
#include <algorithm>

namespace halfstep::backend::cpu {
namespace {

/// Pixels of an image of x [N, H, W, C].
std::size_t areaOf(const Tensor& x) {
    return static_cast<std::size_t>(x.shape[1] * x.shape[2]);
}

/// values[C] = dy[n] / area
void spread(const StorageKernels& kernels, const Tensor& dy, std::size_t n, std::size_t area, float* values) {
    const std::size_t c = channelsOf(dy);
    kernels.toFloat(row(dy, n), c, values);
    std::for_each(values, values + c, [&](float& value) { value /= static_cast<float>(area); });
}

/// y[n] = sums / area
void storeMean(const StorageKernels& kernels, float* sums, std::size_t area, const Tensor& y, std::size_t n) {
    const std::size_t c = channelsOf(y);
    std::for_each(sums, sums + c, [&](float& sum) { sum /= static_cast<float>(area); });
    kernels.fromFloat(sums, c, row(y, n));
}

} // namespace

void CpuBackend::reserveRows(std::size_t floats) {
    m_rowFloats = (floats + 15) / 16 * 16; // workers do not share cache lines
    m_rows.resize(std::max(m_rows.size(), m_rowFloats * static_cast<std::size_t>(threads())));
}

float* CpuBackend::rowScratch(int worker) {
    return m_rows.data() + static_cast<std::size_t>(worker) * m_rowFloats;
}

void CpuBackend::globalAveragePool(const Tensor& x, const Tensor& y) {
    const std::size_t c = channelsOf(x), area = areaOf(x);
    reserveRows(c);
    m_pool.run(x.shape[0], [&](std::int64_t image, int worker) {
        const std::size_t n = static_cast<std::size_t>(image);
        float* sums = rowScratch(worker);
        m_kernels.of(x.dtype).sumRows(row(x, n * area), area, c, sums);
        storeMean(m_kernels.of(y.dtype), sums, area, y, n);
    });
}

void CpuBackend::normalizeAndPool(const Tensor& x, const Tensor& mean, const float* scale, const Tensor& beta,
                                  const Tensor& y) {
    const std::size_t c = channelsOf(x), area = areaOf(x);
    const StorageKernels& kernels = m_kernels.of(x.dtype);
    reserveRows((kRowChain + 2) * c);
    m_pool.run(x.shape[0], [&](std::int64_t image, int worker) {
        const std::size_t n = static_cast<std::size_t>(image);
        float* sums = rowScratch(worker);
        float* chain = sums + c;
        float* normalized = chain + c;
        std::fill_n(sums, c, 0.0f);
        // sumRows adds kRowChain rows before it adds to the total: piece by piece the same sum.
        for (std::size_t first = 0; first < area; first += kRowChain) {
            const std::size_t count = std::min(kRowChain, area - first);
            kernels.normalizeRows(row(x, n * area + first), count, c, mean.f32(), scale, beta.f32(), normalized);
            kernels.sumRows(normalized, count, c, chain);
            m_kernels.f32.add(chain, c, sums);
        }
        storeMean(m_kernels.of(y.dtype), sums, area, y, n);
    });
}

void CpuBackend::globalAveragePoolBackward(const Tensor& dy, const Tensor& dx) {
    const std::size_t c = channelsOf(dx), area = areaOf(dx);
    reserveRows(c);
    m_pool.run(dx.shape[0], [&](std::int64_t image, int worker) {
        const std::size_t n = static_cast<std::size_t>(image);
        float* values = rowScratch(worker);
        spread(m_kernels.of(dy.dtype), dy, n, area, values);
        m_kernels.of(dx.dtype).fillRows(values, area, c, row(dx, n * area));
    });
}

const void* CpuBackend::gradientRows(const Tensor& x, const Tensor& dy, const RowBlock& block) {
    if (dy.shape.rank() != 2) {
        return row(dy, block.first);
    }
    const std::size_t c = channelsOf(x), area = areaOf(x);
    float* values = rowScratch(block.worker);
    std::byte* rows = reinterpret_cast<std::byte*>(values + c);
    for (std::size_t done = 0; done < block.count;) {
        const std::size_t n = (block.first + done) / area;
        const std::size_t count = std::min(block.count - done, (n + 1) * area - (block.first + done));
        spread(m_kernels.of(dy.dtype), dy, n, area, values);
        m_kernels.of(x.dtype).fillRows(values, count, c, rows + done * c * tensor::bytesOf(x.dtype));
        done += count;
    }
    return rows;
}

} // namespace halfstep::backend::cpu
