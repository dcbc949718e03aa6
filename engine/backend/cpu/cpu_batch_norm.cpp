// The verbs of CpuBackend that sum over the rows of an activation: ReLU's gradient with the bias, batch
// normalization.
#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/elements.h"
#include <algorithm>
#include <cmath>

namespace halfstep::backend::cpu {
namespace {

/// Rows of one block: small enough that a block of 128 channels stays in the second-level cache between two passes.
constexpr std::size_t kRowBlock = 512;

/// inverse = 1 / sqrt(variance + epsilon), computed in double and rounded once.
void inverseDeviation(const Tensor& variance, float epsilon, std::vector<float>& inverse) {
    inverse.resize(countOf(variance));
    std::transform(variance.f32(), variance.f32() + inverse.size(), inverse.begin(), [&](float v) {
        return static_cast<float>(1.0 / std::sqrt(static_cast<double>(v) + static_cast<double>(epsilon)));
    });
}

} // namespace

std::size_t CpuBackend::forRowBlocks(std::size_t rows, FunctionRef<void(const RowBlock&)> work) {
    const std::size_t blocks = (rows + kRowBlock - 1) / kRowBlock;
    m_pool.run(static_cast<std::int64_t>(blocks), [&](std::int64_t task, int worker) {
        const std::size_t index = static_cast<std::size_t>(task), first = index * kRowBlock;
        work({index, first, std::min(kRowBlock, rows - first), worker});
    });
    return blocks;
}

void CpuBackend::addBlocks(const float* partials, std::size_t blocks, std::size_t c, std::vector<double>& sums) {
    sums.assign(c, 0.0);
    for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t channel = 0; channel < c; ++channel) {
            sums[channel] += static_cast<double>(partials[block * c + channel]);
        }
    }
}

void CpuBackend::storeSums(const std::vector<double>& sums, const Tensor& to) {
    m_channels.stored.resize(sums.size());
    std::transform(sums.begin(), sums.end(), m_channels.stored.begin(),
                   [](double sum) { return static_cast<float>(sum); });
    upload(m_channels.stored, to);
}

void CpuBackend::biasReluBackward(const Tensor& y, const Tensor& dy, const Tensor& db) {
    const std::size_t rows = rowsOf(y), c = channelsOf(y);
    m_partials.resize((rows / kRowBlock + 1) * c);
    const std::size_t blocks = forRowBlocks(rows, [&](const RowBlock& block) {
        m_kernels.of(y.dtype).reluBackwardRows(row(y, block.first), row(dy, block.first), block.count, c,
                                               m_partials.data() + block.index * c);
    });
    addBlocks(m_partials.data(), blocks, c, m_channels.sums);
    storeSums(m_channels.sums, db);
}

void CpuBackend::batchNormTrain(const Tensor& x, const Tensor& gamma, const Tensor& beta, float epsilon,
                                const Tensor& mean, const Tensor& variance, const Tensor& y) {
    const std::size_t rows = rowsOf(x), c = channelsOf(x);
    // Moments are taken of the differences from the first row: a constant channel has differences of exactly 0, so
    // its mean is exact, its variance 0 and its output beta.
    std::vector<float>& pivot = m_channels.pivot;
    pivot.resize(c);
    m_kernels.of(x.dtype).toFloat(x.data.get(), c, pivot.data());

    const std::size_t most = rows / kRowBlock + 1;
    m_partials.resize(2 * most * c);
    float* offsets = m_partials.data();
    float* squares = offsets + most * c;
    const std::size_t blocks = forRowBlocks(rows, [&](const RowBlock& block) {
        m_kernels.of(x.dtype).blockMoments(row(x, block.first), block.count, c, pivot.data(),
                                           offsets + block.index * c, squares + block.index * c);
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
    std::vector<float>& scale = m_channels.scale;
    inverseDeviation(variance, epsilon, scale);
    for (std::size_t channel = 0; channel < c; ++channel) {
        scale[channel] *= gamma.f32()[channel];
    }
    if (y.shape.rank() == 2) {
        normalizeAndPool(x, mean, scale.data(), beta, y);
        return;
    }
    forRowBlocks(rowsOf(x), [&](const RowBlock& block) {
        m_kernels.of(x.dtype).normalizeRows(row(x, block.first), block.count, c, mean.f32(), scale.data(), beta.f32(),
                                            row(y, block.first));
    });
}

void CpuBackend::batchNormBackward(const Tensor& x, const Tensor& dy, const Tensor& gamma, float epsilon,
                                   const Tensor& mean, const Tensor& variance, const Tensor& dx, const Tensor& dgamma,
                                   const Tensor& dbeta) {
    batchNormBackward(x, dy, gamma, epsilon, mean, variance, dx, dgamma, dbeta, nullptr);
}

void CpuBackend::batchNormReluBackward(const Tensor& x, const Tensor& dy, const Tensor& gamma, float epsilon,
                                       const Tensor& mean, const Tensor& variance, const Tensor& dx,
                                       const Tensor& dgamma, const Tensor& dbeta, const Tensor& db) {
    batchNormBackward(x, dy, gamma, epsilon, mean, variance, dx, dgamma, dbeta, &db);
}

void CpuBackend::batchNormBackward(const Tensor& x, const Tensor& dy, const Tensor& gamma, float epsilon,
                                   const Tensor& mean, const Tensor& variance, const Tensor& dx, const Tensor& dgamma,
                                   const Tensor& dbeta, const Tensor* db) {
    const std::size_t rows = rowsOf(x), c = channelsOf(x);
    std::vector<float>& invStd = m_channels.inverseDeviation;
    inverseDeviation(variance, epsilon, invStd);
    if (dy.shape.rank() == 2) {
        reserveRows((kRowBlock + 1) * c);
    }
    const std::size_t most = rows / kRowBlock + 1;
    m_partials.resize(2 * most * c);
    float* plain = m_partials.data();
    float* centred = plain + most * c;
    const std::size_t blocks = forRowBlocks(rows, [&](const RowBlock& block) {
        m_kernels.of(x.dtype).batchNormSums(row(x, block.first), gradientRows(x, dy, block), block.count, c,
                                            mean.f32(), invStd.data(), plain + block.index * c,
                                            centred + block.index * c);
    });
    std::vector<double>&sumDy = m_channels.sums, &sumDyXhat = m_channels.centredSums;
    addBlocks(plain, blocks, c, sumDy);
    addBlocks(centred, blocks, c, sumDyXhat);

    std::vector<float>&scale = m_channels.scale, &meanDy = m_channels.meanGradient, &slope = m_channels.slope;
    scale.resize(c);
    meanDy.resize(c);
    slope.resize(c);
    for (std::size_t channel = 0; channel < c; ++channel) {
        const double inverse = static_cast<double>(invStd[channel]);
        scale[channel] = static_cast<float>(static_cast<double>(gamma.f32()[channel]) * inverse);
        meanDy[channel] = static_cast<float>(sumDy[channel] / static_cast<double>(rows));
        slope[channel] = static_cast<float>(inverse * sumDyXhat[channel] / static_cast<double>(rows));
    }
    storeSums(sumDyXhat, dgamma);
    storeSums(sumDy, dbeta);
    forRowBlocks(rows, [&](const RowBlock& block) {
        const StorageKernels& kernels = m_kernels.of(x.dtype);
        if (db == nullptr) {
            kernels.batchNormBackwardRows(row(x, block.first), gradientRows(x, dy, block), block.count, c, mean.f32(),
                                          scale.data(), meanDy.data(), slope.data(), row(dx, block.first));
        } else {
            kernels.batchNormReluBackwardRows(row(x, block.first), gradientRows(x, dy, block), block.count, c,
                                              mean.f32(), scale.data(), meanDy.data(), slope.data(),
                                              row(dx, block.first), plain + block.index * c);
        }
    });
    if (db != nullptr) {
        addBlocks(plain, blocks, c, sumDy);
        storeSums(sumDy, *db);
    }
}

} // namespace halfstep::backend::cpu
