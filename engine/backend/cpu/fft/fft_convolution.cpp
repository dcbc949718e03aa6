#include "engine/backend/cpu/fft/fft_convolution.h"
#include "engine/backend/cpu/fft/weight_layout.h"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <unistd.h>

namespace halfstep::backend::cpu {

using tensor::DType;
using tensor::Tensor;

namespace {

/// Bytes of the spectra of a batch on one side; a larger batch is taken in parts.
constexpr std::int64_t kMostSpectra = std::int64_t{96} << 20;
/// Bytes that x^ of a batch may take from its forward pass to its weight gradient. Of a batch with more of them it is
/// made twice, so that memory does not grow without bound.
constexpr std::size_t kMostReserved = std::size_t{96} << 20;
/// Bytes that the spectra of weights which one thread has in hand take: they are made and read in the second-level
/// cache. More of them together read their operand less often. No result depends on it.
std::size_t mostPanels() {
    constexpr long kUnknown = 512 << 10, kMost = 1 << 20; // a larger cache may belong to several cores
    const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return static_cast<std::size_t>(cache > 0 ? std::min(cache, kMost) : kUnknown) / 8 * 5;
}

std::size_t size(std::int64_t value) {
    return static_cast<std::size_t>(value);
}

} // namespace

FftConvolution::FftConvolution(const ConvolutionGeometry& geometry, const FftPlan& plan, const FftTools& tools)
    : m_g(geometry),
      m_plan(plan),
      m_tools(tools),
      m_mostPanels(mostPanels()) {
    for (int n = 0; n < plan.tile; ++n) {
        const double angle = 2 * std::numbers::pi * n / plan.tile;
        m_cosines.push_back(static_cast<float>(std::cos(angle)));
        m_sines.push_back(static_cast<float>(std::sin(angle)));
        m_negativeSines.push_back(-m_sines.back());
    }
}

std::int64_t FftConvolution::imagesAtATime(std::int64_t batch, std::int64_t tiles) const {
    const auto widest = static_cast<std::int64_t>(std::max(inputs(), filters()));
    const std::int64_t bytes = static_cast<std::int64_t>(fftBins(m_plan.tile)) * tiles * (2 * widest + 16) * 4;
    const std::int64_t most = std::max<std::int64_t>(kMostSpectra / bytes, 1);
    const std::int64_t parts = (batch + most - 1) / most;
    return (batch + parts - 1) / parts;
}

std::int64_t FftConvolution::workedOn(std::int64_t batch, std::int64_t part) const {
    return m_tools.pool.work() == ThreadPool::Work::Done ? batch : std::min(batch, part);
}

void FftConvolution::prepareWorkers(std::size_t spectra, std::size_t work) {
    for (FftScratch::Worker& worker : m_tools.scratch.workers) {
        worker.spectra.floats(m_tools.memory, spectra);
        worker.work.floats(m_tools.memory, work);
    }
}

FftConvolution::Spectra FftConvolution::spectraOf(float* data, std::int64_t count, std::int64_t channels) const {
    // An odd number of cache lines from row to row and from bin to bin: neighbours in a column share no set.
    const std::size_t rowStride = 2 * size(channels) + kFftGroup;
    const std::size_t binStride = size(count) * rowStride + (count % 2 == 0 ? kFftGroup : 0);
    return {data, size(count), rowStride, binStride};
}

FftConvolution::Spectra FftConvolution::spectraOf(Scratch& scratch, std::int64_t count, std::int64_t channels) {
    Spectra spectra = spectraOf(nullptr, count, channels);
    spectra.data = scratch.floats(m_tools.memory, fftBins(m_plan.tile) * spectra.binStride);
    return spectra;
}

std::size_t FftConvolution::inputSpectra(std::int64_t images) const {
    const auto channels = static_cast<std::int64_t>(inputs());
    return fftBins(m_plan.tile) * spectraOf(nullptr, images * m_plan.forwardTiles(), channels).binStride;
}

FftReserve* FftConvolution::reserveFor(ReserveSpace* reserve, std::int64_t batch) const {
    if (reserve == nullptr || inputSpectra(batch) * sizeof(float) > kMostReserved) {
        return nullptr;
    }
    if (!reserve->content) {
        reserve->content = std::make_shared<FftReserve>();
    }
    return static_cast<FftReserve*>(reserve->content.get());
}

bool FftConvolution::gradientsCoincide() const {
    return m_plan.forwardTiles() == 1 && m_plan.backwardTiles() == 1 && m_plan.backwardRows.start == 0 &&
           m_plan.backwardColumns.start == 0;
}

FftConvolution::Side FftConvolution::inputSide(const Tensor& x) const {
    return {&x,          &m_plan.forwardRows, &m_plan.forwardColumns,
            m_g.stride,  m_plan.padTop,       m_plan.padLeft,
            0,           m_plan.tile,         0,
            m_plan.tile, m_g.usedHeight(),    m_g.usedWidth()};
}

FftConvolution::Side FftConvolution::gradientSide(const Tensor& dy) const {
    return {&dy,
            &m_plan.forwardRows,
            &m_plan.forwardColumns,
            1,
            0,
            0,
            0,
            m_plan.forwardRows.step,
            0,
            m_plan.forwardColumns.step,
            dy.shape[1],
            dy.shape[2]};
}

/// Calls visit(window, spectrum row, channel group, worker) for every tile, phase and group of channels.
template <class Visit>
void FftConvolution::forWindows(const Side& side, std::int64_t firstImage, std::int64_t images, const Visit& visit) {
    const Tensor& t = *side.tensor;
    const std::int64_t height = t.shape[1], width = t.shape[2], channels = t.shape[3];
    const std::int64_t tiles = side.rows->tiles * side.columns->tiles;
    const std::int64_t groups = fftWhole(channels) / static_cast<std::int64_t>(kFftGroup);
    const std::int64_t items = side.phases * side.phases * groups;
    m_tools.pool.run(images * tiles * items, [&](std::int64_t task, int worker) {
        const std::int64_t m = task / items, item = task % items;
        const std::int64_t tile = m % tiles, image = firstImage + m / tiles;
        const std::int64_t phase = item / groups, channel = item % groups * static_cast<std::int64_t>(kFftGroup);
        const FftRange rows =
            rangeOf(*side.rows, tile / side.columns->tiles,
                    {side.phases, phase / side.phases - side.padTop, side.height}, side.rowsFrom, side.rowsTo);
        const FftRange columns =
            rangeOf(*side.columns, tile % side.columns->tiles,
                    {side.phases, phase % side.phases - side.padLeft, side.width}, side.columnsFrom, side.columnsTo);
        const std::int64_t element = ((image * height + rows.element) * width + columns.element) * channels + channel;
        const FftWindow window{.pixels = t.data.get() + size(element) * tensor::bytesOf(t.dtype),
                               .dtype = t.dtype,
                               .rowStride = size(side.phases * width * channels),
                               .columnStride = size(side.phases * channels),
                               .channels = std::min(size(channels - channel), kFftGroup),
                               .rowBegin = rows.begin,
                               .rowEnd = rows.end,
                               .columnBegin = columns.begin,
                               .columnEnd = columns.end};
        visit(window, size(m), size(item), worker);
    });
}

void FftConvolution::transform(const Side& side, std::int64_t firstImage, std::int64_t images, const Spectra& to) {
    const FftTileKernels& kernels = m_tools.kernels.fft.tiles[size(m_plan.kernel)];
    prepareWorkers(0, fftTileWork(m_plan.tile));
    forWindows(side, firstImage, images, [&](const FftWindow& window, std::size_t m, std::size_t group, int worker) {
        kernels.forward(window, to.data + m * to.rowStride + group * kFftLine, to.binStride, workOf(worker));
    });
}

void FftConvolution::inverse(const Spectra& from, const Side& side, std::int64_t firstImage, std::int64_t images,
                             const float* bias) {
    const FftTileKernels& kernels = m_tools.kernels.fft.tiles[size(m_plan.kernel)];
    prepareWorkers(0, fftTileWork(m_plan.tile));
    forWindows(side, firstImage, images, [&](const FftWindow& window, std::size_t m, std::size_t group, int worker) {
        kernels.inverse(from.data + m * from.rowStride + group * kFftLine, from.binStride, window,
                        bias == nullptr ? nullptr : bias + group * kFftGroup, workOf(worker));
    });
}

/// y^ = x^ w^ in every bin.
void FftConvolution::multiply(const Spectra& x, std::size_t reduction, const float* taps, std::size_t outputs,
                              const std::vector<float>& sines, const Spectra& y) {
    const FftKernels& kernels = m_tools.kernels.fft;
    const std::size_t groups = outputs / kFftGroup, panelStride = reduction * kFftGroup + kFftGroup;
    const std::size_t rowsSize = reduction * size(m_plan.tapRows) * kFftLine;
    const std::size_t groupSize = rowsSize + 2 * 3 * panelStride;
    const std::size_t together = std::clamp<std::size_t>(m_mostPanels / (groupSize * sizeof(float)), 1, groups);
    const std::size_t blocks = (groups + together - 1) / together;
    const int columns = fftColumns(m_plan.tile);

    prepareWorkers(together * groupSize, x.count * (reduction + 3 * kFftGroup));
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
        const auto multiplyBin = [&](int ky, int nextKy, const float* panels) {
            const std::size_t bin = fftFirstBin(m_plan.tile, kx) + size(ky);
            kernels.multiplyBin({.x = x.data + bin * x.binStride,
                                 .nextX = x.data + (fftFirstBin(m_plan.tile, kx) + size(nextKy)) * x.binStride,
                                 .count = x.count,
                                 .xStride = x.rowStride,
                                 .reduction = reduction,
                                 .panels = panels,
                                 .panelStride = panelStride,
                                 .groupCount = count,
                                 .result = y.data + bin * y.binStride + first * kFftLine,
                                 .resultStride = y.rowStride,
                                 .work = workOf(index)});
        };
        kernels.weightRows(weights, kx);
        for (int ky = 0; ky < fftColumns(m_plan.tile); ++ky) {
            kernels.weightBins(weights, ky);
            const int next = ky + 1 < fftColumns(m_plan.tile) ? ky + 1 : 0;
            const bool two = kx > 0 && ky > 0;
            multiplyBin(ky, two ? m_plan.tile - ky : next, weights.panels);
            if (two) {
                multiplyBin(m_plan.tile - ky, next, weights.panels + 3 * count * panelStride);
            }
        }
    });
}

/// taps += the inverse transform of the sum over images of x^ conj(dy^).
void FftConvolution::correlate(const Spectra& x, const Spectra& dy, float* taps) {
    const FftKernels& kernels = m_tools.kernels.fft;
    const std::size_t groups = filters() / kFftGroup;
    // A chunk of channels stays with its thread for all columns, since it adds to the same taps.
    std::size_t chunk = 64;
    while (chunk > kFftGroup && inputs() / chunk < size(m_tools.pool.threads())) {
        chunk /= 2;
    }
    const std::size_t kyStride = chunk * groups * kFftLine + kFftGroup; // the bins of a column share no set
    prepareWorkers(size(m_plan.tile) * kyStride,
                   x.count * (chunk + kFftGroup + 2 * filters()) + kFftLine * kFftGroup);
    m_tools.pool.run(static_cast<std::int64_t>((inputs() + chunk - 1) / chunk), [&](std::int64_t task, int index) {
        const std::size_t first = size(task) * chunk, channels = std::min(chunk, inputs() - first);
        float* spectra = spectraOf(index);
        const FftTapGradients gradients{.spectra = spectra,
                                        .kyStride = kyStride,
                                        .reduction = channels,
                                        .groups = groups,
                                        .rows = static_cast<int>(m_plan.tapRows),
                                        .columns = static_cast<int>(m_plan.tapColumns),
                                        .angles = {m_plan.tile, m_cosines.data(), m_sines.data()},
                                        .taps = taps + first * groups * tapsPerPair() * kFftGroup};
        for (int kx = 0; kx < fftColumns(m_plan.tile); ++kx) {
            FftBinCorrelation bin{.x = x.data + fftFirstBin(m_plan.tile, kx) * x.binStride + 2 * first,
                                  .dy = dy.data + fftFirstBin(m_plan.tile, kx) * dy.binStride,
                                  .count = x.count,
                                  .xStride = x.rowStride,
                                  .dyStride = dy.rowStride,
                                  .channels = channels,
                                  .groups = groups,
                                  .result = spectra,
                                  .work = workOf(index)};
            for (int ky = 0; ky < fftColumnBins(m_plan.tile, kx); ++ky) {
                const bool last = kx + 1 == fftColumns(m_plan.tile) && ky + 1 == m_plan.tile;
                bin.nextX = last ? nullptr : bin.x + x.binStride;
                bin.nextDy = last ? nullptr : bin.dy + dy.binStride;
                kernels.correlateBin(bin);
                bin.x += x.binStride;
                bin.dy += dy.binStride;
                bin.result += kyStride;
            }
            kernels.tapGradients(gradients, kx);
        }
    });
}

/// In whole groups.
const float* FftConvolution::plainBias(const Tensor& b) {
    float* bias = m_tools.scratch.bias.floats(m_tools.memory, filters());
    m_tools.pool.run(1, [&](std::int64_t, int) {
        m_tools.kernels.of(b.dtype).toFloat(b.data.get(), size(m_g.filters), bias);
        std::fill(bias + m_g.filters, bias + filters(), 0.0f);
    });
    return bias;
}

const float* FftConvolution::plainWeights(const Tensor& w) {
    if (w.dtype == DType::Float32) {
        return w.f32();
    }
    float* converted = m_tools.scratch.weights.floats(m_tools.memory, size(w.count()));
    m_tools.pool.run(
        1, [&](std::int64_t, int) { m_tools.kernels.of(w.dtype).toFloat(w.data.get(), size(w.count()), converted); });
    return converted;
}

void FftConvolution::forward(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y,
                             ReserveSpace* reserve) {
    const float* bias = plainBias(b);
    float* taps = m_tools.scratch.taps.floats(m_tools.memory, inputs() * filters() * tapsPerPair());
    // The transform of x comes out doubled.
    tapsByFilter(m_tools.pool, m_g, m_plan, plainWeights(w), 0.5f / static_cast<float>(m_plan.tile * m_plan.tile),
                 taps);
    const std::int64_t tiles = m_plan.forwardTiles(), batch = x.shape[0], part = imagesAtATime(batch, tiles);
    const auto channels = static_cast<std::int64_t>(inputs()), outputs = static_cast<std::int64_t>(filters());
    FftReserve* const kept = reserveFor(reserve, batch);
    float* keptSpectra = nullptr;
    if (kept != nullptr) {
        keptSpectra = kept->input.floats(m_tools.memory, size((batch + part - 1) / part) * inputSpectra(part));
        kept->filledBy = this;
    }
    m_tools.scratch.gradientOf = nullptr;
    for (std::int64_t first = 0; first < workedOn(batch, part); first += part) {
        const std::int64_t images = std::min(part, batch - first);
        const Spectra xs = kept != nullptr ? spectraOf(keptSpectra + size(first / part) * inputSpectra(part),
                                                       images * tiles, channels)
                                           : spectraOf(m_tools.scratch.first, images * tiles, channels);
        const Spectra ys = spectraOf(m_tools.scratch.second, images * tiles, outputs);
        transform(inputSide(x), first, images, xs);
        multiply(xs, inputs(), taps, filters(), m_sines, ys);
        inverse(ys, gradientSide(y), first, images, bias);
    }
}

void FftConvolution::backwardData(const Tensor& w, const Tensor& dy, const Tensor& dx, ReserveSpace* reserve) {
    float* taps = m_tools.scratch.taps.floats(m_tools.memory, inputs() * filters() * tapsPerPair());
    tapsByChannel(m_tools.pool, m_g, m_plan, plainWeights(w), 0.5f / static_cast<float>(m_plan.tile * m_plan.tile),
                  taps);
    const FftAxis &rows = m_plan.backwardRows, &columns = m_plan.backwardColumns;
    const Side from{&dy, &rows, &columns, 1, 0, 0, 0, m_plan.tile, 0, m_plan.tile, dy.shape[1], dy.shape[2]};
    const Side to{&dx,
                  &rows,
                  &columns,
                  m_g.stride,
                  m_plan.padTop,
                  m_plan.padLeft,
                  rows.from,
                  rows.from + rows.step,
                  columns.from,
                  columns.from + columns.step,
                  m_g.usedHeight(),
                  m_g.usedWidth()};
    const std::int64_t tiles = m_plan.backwardTiles(), batch = dy.shape[0], part = imagesAtATime(batch, tiles);
    const auto channels = static_cast<std::int64_t>(inputs()), outputs = static_cast<std::int64_t>(filters());
    const bool done = reserve != nullptr && m_tools.scratch.gradientOf == reserve;
    Scratch& dySpectra = done ? m_tools.scratch.second : m_tools.scratch.first;
    Scratch& dxSpectra = done ? m_tools.scratch.first : m_tools.scratch.second;
    m_tools.scratch.gradientOf = nullptr;
    for (std::int64_t first = 0; first < workedOn(batch, part); first += part) {
        const std::int64_t images = std::min(part, batch - first);
        const Spectra dys = spectraOf(dySpectra, images * tiles, outputs);
        const Spectra dxs = spectraOf(dxSpectra, images * tiles, channels);
        if (!done) {
            transform(from, first, images, dys);
        }
        multiply(dys, filters(), taps, inputs(), m_negativeSines, dxs);
        inverse(dxs, to, first, images, nullptr);
    }
    clearUnused(dx);
}

void FftConvolution::clearUnused(const Tensor& dx) {
    const std::int64_t height = dx.shape[1], width = dx.shape[2], rows = m_g.usedHeight(), columns = m_g.usedWidth();
    if (rows == height && columns == width) {
        return;
    }
    const std::size_t pixel = size(dx.shape[3]) * tensor::bytesOf(dx.dtype);
    m_tools.pool.run(dx.shape[0], [&](std::int64_t image, int) {
        for (std::int64_t row = 0; row < height; ++row) {
            const std::int64_t first = row < rows ? columns : 0;
            std::fill_n(dx.data.get() + size((image * height + row) * width + first) * pixel,
                        size(width - first) * pixel, std::byte{0});
        }
    });
}

void FftConvolution::backwardWeights(const Tensor& x, const Tensor& dy, const Tensor& dw, ReserveSpace* reserve) {
    const std::size_t tapCount = inputs() * filters() * tapsPerPair();
    float* taps = m_tools.scratch.taps.floats(m_tools.memory, tapCount);
    m_tools.pool.run(1, [&](std::int64_t, int) { std::fill_n(taps, tapCount, 0.0f); });
    const std::int64_t tiles = m_plan.forwardTiles(), batch = x.shape[0], part = imagesAtATime(batch, tiles);
    const auto channels = static_cast<std::int64_t>(inputs()), outputs = static_cast<std::int64_t>(filters());
    FftReserve* const kept = reserveFor(reserve, batch);
    const bool known = kept != nullptr && kept->filledBy == this;
    m_tools.scratch.gradientOf = part >= batch && gradientsCoincide() ? reserve : nullptr;
    for (std::int64_t first = 0; first < workedOn(batch, part); first += part) {
        const std::int64_t images = std::min(part, batch - first);
        const Spectra xs =
            known ? spectraOf(kept->input.floats(m_tools.memory, 0) + size(first / part) * inputSpectra(part),
                              images * tiles, channels)
                  : spectraOf(m_tools.scratch.first, images * tiles, channels);
        const Spectra dys = spectraOf(m_tools.scratch.second, images * tiles, outputs);
        if (!known) {
            transform(inputSide(x), first, images, xs);
        }
        transform(gradientSide(dy), first, images, dys);
        correlate(xs, dys, taps);
    }
    const std::size_t count = size(dw.count());
    float* plain = dw.dtype == DType::Float32 ? dw.f32() : m_tools.scratch.weights.floats(m_tools.memory, count);
    // Both transforms come out doubled.
    weightsOfTaps(m_tools.pool, m_g, m_plan, taps, 0.25f / static_cast<float>(m_plan.tile * m_plan.tile), plain);
    if (dw.dtype != DType::Float32) {
        m_tools.pool.run(
            1, [&](std::int64_t, int) { m_tools.kernels.of(dw.dtype).fromFloat(plain, count, dw.data.get()); });
    }
}

} // namespace halfstep::backend::cpu
