// The products of FftConvolution: bin by bin, with the spectra of the weights made on the way.
#include "engine/backend/cpu/elements.h"
#include "engine/backend/cpu/fft/fft_convolution.h"
#include <algorithm>
#include <cmath>

namespace halfstep::backend::cpu {
namespace {

/// The power of two that is `value` or the next above; 1 for what has none.
float powerAbove(float value) {
    return value > 0 && std::isfinite(value) ? std::ldexp(1.0f, std::clamp(std::ilogb(value) + 1, -100, 100)) : 1.0f;
}

/// relative [row][group] = the factors of x^ over the largest of their row; the factors of y^ take that back, and
/// those of the taps.
void relateFactors(ThreadPool& pool, const FftSpectra& x, const float* tapFactors, float* relative,
                   const FftSpectra& y) {
    pool.run(1, [&](std::int64_t, int) {
        for (std::size_t row = 0; row < x.count; ++row) {
            const float* factors = x.factors + row * x.groups;
            const float largest = *std::max_element(factors, factors + x.groups);
            for (std::size_t group = 0; group < x.groups; ++group) {
                relative[row * x.groups + group] = factors[group] / largest;
            }
            for (std::size_t group = 0; group < y.groups; ++group) {
                y.factors[row * y.groups + group] = std::clamp(largest * tapFactors[group], 0x1p-126f, 0x1p127f);
            }
        }
    });
}

} // namespace

void FftConvolution::scaleTaps(std::size_t groups, std::size_t tapsPerGroup, float* taps, float* factors) {
    m_tools.pool.run(static_cast<std::int64_t>(groups), [&](std::int64_t group, int) {
        float* first = taps + size(group) * tapsPerGroup * kFftGroup;
        float sums[kFftGroup]{};
        for (std::size_t tap = 0; tap < tapsPerGroup; ++tap) {
            for (std::size_t i = 0; i < kFftGroup; ++i) {
                sums[i] += std::abs(first[tap * kFftGroup + i]);
            }
        }
        const float factor = powerAbove(*std::max_element(sums, sums + kFftGroup));
        const float inverse = 1.0f / factor;
        for (std::size_t i = 0; i < tapsPerGroup * kFftGroup; ++i) {
            first[i] *= inverse;
        }
        factors[group] = factor;
    });
}

void FftConvolution::multiply(const FftSpectra& x, const float* taps, const float* tapFactors,
                              const std::vector<float>& sines, const FftSpectra& y) {
    const FftKernels& kernels = m_tools.kernels.fft;
    const auto multiplyBin = kernelsOf(x.half).multiplyBin;
    const std::size_t reduction = x.groups * kFftGroup, groups = y.groups;
    const std::size_t panelStride = reduction * kFftGroup + kFftGroup;
    const std::size_t rowsSize = reduction * size(m_plan.tapRows) * kFftLine;
    const std::size_t groupSize = rowsSize + 2 * 3 * panelStride;
    const std::size_t together = std::clamp<std::size_t>(m_mostPanels / (groupSize * sizeof(float)), 1, groups);
    const std::size_t blocks = (groups + together - 1) / together;
    const int columns = fftColumns(m_plan.tile);

    const float* factors = nullptr;
    if (x.half) {
        float* relative = m_tools.scratch.factors.floats(m_tools.memory, x.count * x.groups);
        relateFactors(m_tools.pool, x, tapFactors, relative, y);
        factors = relative;
    }
    prepareWorkers(together * groupSize, fftProductWork(x.half, x.count, reduction));
    // All blocks of a column one after the other: threads share its part of x^ in the third-level cache.
    m_tools.pool.run(columns * static_cast<std::int64_t>(blocks), [&](std::int64_t task, int index) {
        const int kx = columns - 1 - static_cast<int>(size(task) / blocks); // the short column last
        const std::size_t block = size(task) % blocks;
        const std::size_t first = groups * block / blocks, count = groups * (block + 1) / blocks - first;
        float* spectra = spectraOf(index);
        const FftWeightSpectra weights{.taps = taps + first * reduction * tapsPerPair() * kFftGroup,
                                       .reduction = reduction,
                                       .groupCount = count,
                                       .rows = static_cast<int>(m_plan.tapRows),
                                       .columns = static_cast<int>(m_plan.tapColumns),
                                       .angles = {m_plan.tile, m_cosines.data(), sines.data()},
                                       .rowSpectra = spectra,
                                       .panels = spectra + together * rowsSize,
                                       .panelStride = panelStride};
        const std::size_t firstBin = fftFirstBin(m_plan.tile, kx);
        const auto multiplyAt = [&](int ky, int nextKy, const float* panels) {
            multiplyBin({.x = x.at(firstBin + size(ky), 0, 0),
                         .nextX = x.at(firstBin + size(nextKy), 0, 0),
                         .factors = factors,
                         .count = x.count,
                         .xStride = x.rowStride,
                         .reduction = reduction,
                         .panels = panels,
                         .panelStride = panelStride,
                         .groupCount = count,
                         .result = y.at(firstBin + size(ky), 0, first),
                         .resultStride = y.rowStride,
                         .work = workOf(index)});
        };
        kernels.weightRows(weights, kx);
        for (int ky = 0; ky < fftColumns(m_plan.tile); ++ky) {
            kernels.weightBins(weights, ky);
            const int next = ky + 1 < fftColumns(m_plan.tile) ? ky + 1 : 0;
            const bool two = kx > 0 && ky > 0;
            multiplyAt(ky, two ? m_plan.tile - ky : next, weights.panels);
            if (two) {
                multiplyAt(m_plan.tile - ky, next, weights.panels + 3 * count * panelStride);
            }
        }
    });
}

void FftConvolution::correlate(const FftSpectra& x, const FftSpectra& dy, float* taps) {
    const FftKernels& kernels = m_tools.kernels.fft;
    const auto correlateBin = kernelsOf(dy.half).correlateBin;
    const std::size_t groups = dy.groups;
    // A chunk of channels stays with its thread for all columns, since it adds to the same taps.
    std::size_t chunk = 64;
    while (chunk > kFftGroup && inputs() / chunk < size(m_tools.pool.threads())) {
        chunk /= 2;
    }
    const std::size_t kyStride = chunk * groups * kFftLine + kFftGroup; // the bins of a column share no set
    prepareWorkers(size(m_plan.tile) * kyStride, fftCorrelationWork(dy.half, x.count, chunk, groups));
    m_tools.pool.run(static_cast<std::int64_t>((inputs() + chunk - 1) / chunk), [&](std::int64_t task, int index) {
        const std::size_t first = size(task) * chunk, channels = std::min(chunk, inputs() - first);
        const std::size_t firstGroup = first / kFftGroup;
        float* spectra = spectraOf(index);
        const FftTapGradients gradients{.spectra = spectra,
                                        .kyStride = kyStride,
                                        .reduction = channels,
                                        .groups = groups,
                                        .rows = static_cast<int>(m_plan.tapRows),
                                        .columns = static_cast<int>(m_plan.tapColumns),
                                        .angles = {m_plan.tile, m_cosines.data(), m_sines.data()},
                                        .taps = taps + first * groups * tapsPerPair() * kFftGroup};
        std::size_t bin = 0;
        for (int kx = 0; kx < fftColumns(m_plan.tile); ++kx) {
            for (int ky = 0; ky < fftColumnBins(m_plan.tile, kx); ++ky, ++bin) {
                const bool last = bin + 1 == x.bins;
                correlateBin({.x = static_cast<const float*>(x.at(bin, 0, firstGroup)),
                              .dy = dy.at(bin, 0, 0),
                              .nextX = last ? nullptr : x.at(bin + 1, 0, firstGroup),
                              .nextDy = last ? nullptr : dy.at(bin + 1, 0, 0),
                              .dyFactors = dy.factors,
                              .count = x.count,
                              .xStride = x.rowStride,
                              .dyStride = dy.rowStride,
                              .channels = channels,
                              .groups = groups,
                              .result = spectra + size(ky) * kyStride,
                              .work = workOf(index)});
            }
            kernels.tapGradients(gradients, kx);
        }
    });
}

} // namespace halfstep::backend::cpu
