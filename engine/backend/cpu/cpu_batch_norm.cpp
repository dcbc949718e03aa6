// The verbs of CpuBackend that sum over the rows of an activation: ReLU's gradient with the bias, batch
// normalization, global average pooling.
#include "engine/backend/cpu/cpu_backend.h"
#include <algorithm>
#include <cmath>

namespace halfstep::backend::cpu {
namespace {

/// Rows of one block: small enough that a block of 128 channels stays in the second-level cache between two passes.
constexpr std::size_t kRowBlock = 512;

std::size_t channelsOf(const Tensor& x) {
    return static_cast<std::size_t>(x.shape[x.shape.rank() - 1]);
}

std::size_t rowsOf(const Tensor& x) {
    return static_cast<std::size_t>(x.count()) / channelsOf(x);
}

std::byte* row(const Tensor& x, std::size_t index) {
    return x.data.get() + index * channelsOf(x) * tensor::bytesOf(x.dtype);
}

/// 1 / sqrt(variance + epsilon), computed in double and rounded once.
std::vector<float> inverseDeviation(const Tensor& variance, float epsilon) {
    std::vector<float> inverse(static_cast<std::size_t>(variance.count()));
    std::transform(variance.f32(), variance.f32() + inverse.size(), inverse.begin(), [&](float v) {
        return static_cast<float>(1.0 / std::sqrt(static_cast<double>(v) + static_cast<double>(epsilon)));
    });
    return inverse;
}

} // namespace

std::size_t CpuBackend::forRowBlocks(std::size_t rows,
                                     const std::function<void(std::size_t, std::size_t, std::size_t)>& work) {
    const std::size_t blocks = (rows + kRowBlock - 1) / kRowBlock;
    m_pool.run(static_cast<std::int64_t>(blocks), [&](std::int64_t block, int) {
        const std::size_t first = static_cast<std::size_t>(block) * kRowBlock;
        work(static_cast<std::size_t>(block), first, std::min(kRowBlock, rows - first));
    });
    return blocks;
}

void CpuBackend::addBlocks(const float* partials, std::size_t blocks, std::size_t c, double* sums) {
    std::fill_n(sums, c, 0.0);
    for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t channel = 0; channel < c; ++channel) {
            sums[channel] += static_cast<double>(partials[block * c + channel]);
        }
    }
}

void CpuBackend::biasReluBackward(const Tensor& y, const Tensor& dy, const Tensor& db) {
    const std::size_t rows = rowsOf(y), c = channelsOf(y);
    m_partials.resize((rows / kRowBlock + 1) * c);
    const std::size_t blocks = forRowBlocks(rows, [&](std::size_t block, std::size_t first, std::size_t count) {
        m_kernels.of(y.dtype).reluBackwardRows(row(y, first), row(dy, first), count, c,
                                               m_partials.data() + block * c);
    });
    std::vector<double> sums(c);
    addBlocks(m_partials.data(), blocks, c, sums.data());
    fromHost({sums.begin(), sums.end()}, db);
}

void CpuBackend::batchNormTrain(const Tensor& x, const Tensor& gamma, const Tensor& beta, float epsilon,
                                const Tensor& mean, const Tensor& variance, const Tensor& y) {
    const std::size_t rows = rowsOf(x), c = channelsOf(x);
    // Moments are taken of the differences from the first row: a constant channel has differences of exactly 0, so
    // its mean is exact, its variance 0 and its output beta.
    std::vector<float> pivot(c);
    m_kernels.of(x.dtype).toFloat(x.data.get(), c, pivot.data());

    const std::size_t most = rows / kRowBlock + 1;
    m_partials.resize(2 * most * c);
    float* offsets = m_partials.data();
    float* squares = offsets + most * c;
    const std::size_t blocks = forRowBlocks(rows, [&](std::size_t block, std::size_t first, std::size_t count) {
        m_kernels.of(x.dtype).blockMoments(row(x, first), count, c, pivot.data(), offsets + block * c,
                                           squares + block * c);
    });

    // Chan, Golub and LeVeque (1979): moments of a union from the moments of its parts. Every term is >= 0.
    for (std::size_t channel = 0; channel < c; ++channel) {
        double sum = 0;
        for (std::size_t block = 0; block < blocks; ++block) {
            const double count = static_cast<double>(std::min(kRowBlock, rows - block * kRowBlock));
            sum += count * static_cast<double>(offsets[block * c + channel]);
        }
        const double offset = sum / static_cast<double>(rows);
        double total = 0;
        for (std::size_t block = 0; block < blocks; ++block) {
            const double count = static_cast<double>(std::min(kRowBlock, rows - block * kRowBlock));
            const double between = static_cast<double>(offsets[block * c + channel]) - offset;
            total += static_cast<double>(squares[block * c + channel]) + count * between * between;
        }
        mean.f32()[channel] = static_cast<float>(static_cast<double>(pivot[channel]) + offset);
        variance.f32()[channel] = static_cast<float>(total / static_cast<double>(rows));
    }
    batchNormInference(x, gamma, beta, epsilon, mean, variance, y);
}

void CpuBackend::batchNormInference(const Tensor& x, const Tensor& gamma, const Tensor& beta, float epsilon,
                                    const Tensor& mean, const Tensor& variance, const Tensor& y) {
    const std::size_t c = channelsOf(x);
    std::vector<float> scale = inverseDeviation(variance, epsilon);
    for (std::size_t channel = 0; channel < c; ++channel) {
        scale[channel] *= gamma.f32()[channel];
    }
    forRowBlocks(rowsOf(x), [&](std::size_t, std::size_t first, std::size_t count) {
        m_kernels.of(x.dtype).normalizeRows(row(x, first), count, c, mean.f32(), scale.data(), beta.f32(),
                                            row(y, first));
    });
}

void CpuBackend::batchNormBackward(const Tensor& x, const Tensor& dy, const Tensor& gamma, float epsilon,
                                   const Tensor& mean, const Tensor& variance, const Tensor& dx, const Tensor& dgamma,
                                   const Tensor& dbeta) {
    const std::size_t rows = rowsOf(x), c = channelsOf(x);
    const std::vector<float> invStd = inverseDeviation(variance, epsilon);
    const std::size_t most = rows / kRowBlock + 1;
    m_partials.resize(2 * most * c);
    float* plain = m_partials.data();
    float* centred = plain + most * c;
    const std::size_t blocks = forRowBlocks(rows, [&](std::size_t block, std::size_t first, std::size_t count) {
        m_kernels.of(x.dtype).batchNormSums(row(x, first), row(dy, first), count, c, mean.f32(), invStd.data(),
                                            plain + block * c, centred + block * c);
    });
    std::vector<double> sumDy(c), sumDyXhat(c);
    addBlocks(plain, blocks, c, sumDy.data());
    addBlocks(centred, blocks, c, sumDyXhat.data());

    std::vector<float> scale(c), meanDy(c), slope(c);
    for (std::size_t channel = 0; channel < c; ++channel) {
        const double inverse = static_cast<double>(invStd[channel]);
        scale[channel] = static_cast<float>(static_cast<double>(gamma.f32()[channel]) * inverse);
        meanDy[channel] = static_cast<float>(sumDy[channel] / static_cast<double>(rows));
        slope[channel] = static_cast<float>(inverse * sumDyXhat[channel] / static_cast<double>(rows));
    }
    forRowBlocks(rows, [&](std::size_t, std::size_t first, std::size_t count) {
        m_kernels.of(x.dtype).batchNormBackwardRows(row(x, first), row(dy, first), count, c, mean.f32(), scale.data(),
                                                    meanDy.data(), slope.data(), row(dx, first));
    });
    fromHost({sumDyXhat.begin(), sumDyXhat.end()}, dgamma);
    fromHost({sumDy.begin(), sumDy.end()}, dbeta);
}

void CpuBackend::globalAveragePool(const Tensor& x, const Tensor& y) {
    const std::size_t c = channelsOf(x);
    const std::size_t area = static_cast<std::size_t>(x.shape[1] * x.shape[2]);
    m_pool.run(x.shape[0], [&](std::int64_t n, int) {
        std::vector<float> sums(c);
        m_kernels.of(x.dtype).sumRows(row(x, static_cast<std::size_t>(n) * area), area, c, sums.data());
        for (float& sum : sums) {
            sum /= static_cast<float>(area);
        }
        m_kernels.of(y.dtype).fromFloat(sums.data(), c, row(y, static_cast<std::size_t>(n)));
    });
}

void CpuBackend::globalAveragePoolBackward(const Tensor& dy, const Tensor& dx) {
    const std::size_t c = channelsOf(dx);
    const std::size_t area = static_cast<std::size_t>(dx.shape[1] * dx.shape[2]);
    m_pool.run(dx.shape[0], [&](std::int64_t n, int) {
        std::vector<float> values(c);
        m_kernels.of(dy.dtype).toFloat(row(dy, static_cast<std::size_t>(n)), c, values.data());
        for (float& value : values) {
            value /= static_cast<float>(area);
        }
        m_kernels.of(dx.dtype).fillRows(values.data(), area, c, row(dx, static_cast<std::size_t>(n) * area));
    });
}

} // namespace halfstep::backend::cpu
