#include "engine/backend/cpu/fft/fft_convolution.h"
#include "engine/backend/cpu/elements.h"
#include "engine/backend/cpu/fft/fft_cost.h"
#include "engine/backend/cpu/fft/weight_layout.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <unistd.h>

namespace halfstep::backend::cpu {

using tensor::DType;
using tensor::Tensor;

namespace {

/// Bytes of the spectra of a batch on one side; a larger batch is taken in parts.
constexpr std::int64_t kMostSpectra = std::int64_t{48} << 20;
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

std::int64_t FftConvolution::imagesAtATime(std::int64_t batch, std::int64_t tiles, bool half) const {
    const std::size_t bytes = layoutOf(half, tiles, std::max(inputs(), filters())).bytes();
    const std::int64_t most = std::max<std::int64_t>(kMostSpectra / static_cast<std::int64_t>(bytes), 1);
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

FftSpectra FftConvolution::layoutOf(bool half, std::int64_t count, std::size_t channels) const {
    return FftSpectra::layout(half, fftBins(m_plan.tile), size(count), channels / kFftGroup);
}

FftSpectra FftConvolution::spectraOf(Scratch& scratch, const FftSpectra& layout) {
    return layout.in(scratch.floats(m_tools.memory, layout.bytes() / sizeof(float)));
}

FftSpectra FftConvolution::inputSpectra(FftReserve* kept, std::int64_t first, std::int64_t part, std::int64_t batch) {
    const auto layoutFor = [&](std::int64_t images) {
        return layoutOf(false, images * m_plan.forwardTiles(), inputs());
    };
    const FftSpectra layout = layoutFor(std::min(part, batch - first));
    if (kept == nullptr) {
        return spectraOf(m_tools.scratch.first, layout);
    }
    const std::size_t parts = size((batch + part - 1) / part), index = size(first / part);
    const std::size_t floats = (layoutFor(part).bytes() / sizeof(float) + kFftGroup - 1) / kFftGroup * kFftGroup;
    return layout.in(kept->input.floats(m_tools.memory, parts * floats) + index * floats);
}

bool FftConvolution::canReserve(std::int64_t batch) const {
    return layoutOf(false, batch * m_plan.forwardTiles(), inputs()).bytes() <= kMostReserved;
}

FftReserve* FftConvolution::reserveFor(ReserveSpace* reserve, std::int64_t batch) const {
    if (reserve == nullptr || !canReserve(batch)) {
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
    return {.tensor = &x,
            .rows = &m_plan.forwardRows,
            .columns = &m_plan.forwardColumns,
            .phases = m_g.stride,
            .padTop = m_plan.padTop,
            .padLeft = m_plan.padLeft,
            .rowsFrom = 0,
            .rowsTo = m_plan.tile,
            .columnsFrom = 0,
            .columnsTo = m_plan.tile,
            .height = m_g.usedHeight(),
            .width = m_g.usedWidth()};
}

FftConvolution::Side FftConvolution::outputSide(const Tensor& y, const FftAxis& rows, const FftAxis& columns,
                                                std::int64_t rowsTo, std::int64_t columnsTo) {
    return {.tensor = &y,
            .rows = &rows,
            .columns = &columns,
            .phases = 1,
            .padTop = 0,
            .padLeft = 0,
            .rowsFrom = 0,
            .rowsTo = rowsTo,
            .columnsFrom = 0,
            .columnsTo = columnsTo,
            .height = y.shape[1],
            .width = y.shape[2]};
}

FftConvolution::Side FftConvolution::gradientSide(const Tensor& dy) const {
    const FftAxis &rows = m_plan.forwardRows, &columns = m_plan.forwardColumns;
    return outputSide(dy, rows, columns, rows.step, columns.step);
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

void FftConvolution::transform(const Side& side, std::int64_t firstImage, std::int64_t images, const FftSpectra& to) {
    const FftTileKernels& kernels = kernelsOf(to.half).tiles[size(m_plan.kernel)];
    prepareWorkers(0, fftTileWork(m_plan.tile));
    forWindows(side, firstImage, images, [&](const FftWindow& window, std::size_t m, std::size_t group, int worker) {
        const float factor = kernels.forward(window, to.at(0, m, group), to.binStride, workOf(worker));
        if (to.half) {
            to.factors[m * to.groups + group] = factor;
        }
    });
}

void FftConvolution::inverse(const FftSpectra& from, const Side& side, std::int64_t firstImage, std::int64_t images,
                             const float* bias) {
    const FftTileKernels& kernels = kernelsOf(from.half).tiles[size(m_plan.kernel)];
    prepareWorkers(0, fftTileWork(m_plan.tile));
    forWindows(side, firstImage, images, [&](const FftWindow& window, std::size_t m, std::size_t group, int worker) {
        kernels.inverse(from.at(0, m, group), from.binStride, window,
                        bias == nullptr ? nullptr : bias + group * kFftGroup, from.factorOf(m, group),
                        workOf(worker));
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

ConvolutionFlops FftConvolution::flopsOfStep(std::int64_t batch) const {
    const auto flops = [&](FftPass pass, double ofTransforms) {
        FftOperations operations = fftOperations(m_g, m_plan, batch, pass);
        operations.transforms *= ofTransforms;
        return 2 * operations.all();
    };
    const auto in = static_cast<double>(inputs()), out = static_cast<double>(filters());
    const bool sharesGradient = gradientsCoincide() && imagesAtATime(batch, m_plan.forwardTiles(), false) >= batch;
    return {flops(FftPass::Forward, 1), flops(FftPass::BackwardWeights, canReserve(batch) ? out / (in + out) : 1),
            flops(FftPass::BackwardData, sharesGradient ? in / (in + out) : 1)};
}

ConvolutionAlgorithms FftConvolution::algorithms(DType dtype, std::int64_t batch) const {
    const std::string text = fmt::format("FFT, {0} tile{1} of {2}x{2} an image", m_plan.forwardTiles(),
                                         m_plan.forwardTiles() == 1 ? "" : "s", m_plan.tile);
    const std::string backward = text + (halfSpectraOf(dtype) ? ", gradients in float16" : "");
    return {text, backward, backward, flopsOfStep(batch)};
}

void FftConvolution::forward(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y,
                             ReserveSpace* reserve) {
    const float* bias = plainBias(b);
    float* taps = m_tools.scratch.taps.floats(m_tools.memory, inputs() * filters() * tapsPerPair());
    // The transform of x comes out doubled.
    tapsByFilter(m_tools.pool, m_g, m_plan, plainWeights(w), 0.5f / static_cast<float>(m_plan.tile * m_plan.tile),
                 taps);
    const std::int64_t tiles = m_plan.forwardTiles(), batch = x.shape[0], part = imagesAtATime(batch, tiles, false);
    FftReserve* const kept = reserveFor(reserve, batch);
    if (kept != nullptr) {
        kept->filledBy = this;
    }
    m_tools.scratch.gradientOf = nullptr;
    for (std::int64_t first = 0; first < workedOn(batch, part); first += part) {
        const std::int64_t images = std::min(part, batch - first);
        const FftSpectra xs = inputSpectra(kept, first, part, batch);
        const FftSpectra ys = spectraOf(m_tools.scratch.second, layoutOf(false, images * tiles, filters()));
        transform(inputSide(x), first, images, xs);
        multiply(xs, taps, nullptr, m_sines, ys);
        inverse(ys, gradientSide(y), first, images, bias);
    }
}

void FftConvolution::backwardData(const Tensor& w, const Tensor& dy, const Tensor& dx, ReserveSpace* reserve) {
    float* taps = m_tools.scratch.taps.floats(m_tools.memory, inputs() * filters() * tapsPerPair());
    tapsByChannel(m_tools.pool, m_g, m_plan, plainWeights(w), 0.5f / static_cast<float>(m_plan.tile * m_plan.tile),
                  taps);
    const FftAxis &rows = m_plan.backwardRows, &columns = m_plan.backwardColumns;
    const Side from = outputSide(dy, rows, columns, m_plan.tile, m_plan.tile);
    Side to = inputSide(dx); // its pixels and phases, on the tiles and positions of the way back
    to.rows = &rows;
    to.columns = &columns;
    to.rowsFrom = rows.from;
    to.rowsTo = rows.from + rows.step;
    to.columnsFrom = columns.from;
    to.columnsTo = columns.from + columns.step;
    const bool half = halfSpectraOf(dy.dtype);
    float* tapFactors = nullptr;
    if (half) {
        const std::size_t groups = inputs() / kFftGroup;
        tapFactors = m_tools.scratch.tapFactors.floats(m_tools.memory, groups);
        scaleTaps(groups, filters() * tapsPerPair(), taps, tapFactors);
    }
    const std::int64_t tiles = m_plan.backwardTiles(), batch = dy.shape[0], part = imagesAtATime(batch, tiles, half);
    const bool done = reserve != nullptr && m_tools.scratch.gradientOf == reserve;
    Scratch& dySpectra = done ? m_tools.scratch.second : m_tools.scratch.first;
    Scratch& dxSpectra = done ? m_tools.scratch.first : m_tools.scratch.second;
    m_tools.scratch.gradientOf = nullptr;
    for (std::int64_t first = 0; first < workedOn(batch, part); first += part) {
        const std::int64_t images = std::min(part, batch - first);
        const FftSpectra dys = spectraOf(dySpectra, layoutOf(half, images * tiles, filters()));
        const FftSpectra dxs = spectraOf(dxSpectra, layoutOf(half, images * tiles, inputs()));
        if (!done) {
            transform(from, first, images, dys);
        }
        multiply(dys, taps, tapFactors, m_negativeSines, dxs);
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
    const bool half = halfSpectraOf(x.dtype);
    const std::int64_t tiles = m_plan.forwardTiles(), batch = x.shape[0], part = imagesAtATime(batch, tiles, false);
    FftReserve* kept = reserveFor(reserve, batch);
    if (kept != nullptr && kept->filledBy != this) {
        kept = nullptr;
    }
    m_tools.scratch.gradientOf = part >= batch && gradientsCoincide() ? reserve : nullptr;
    for (std::int64_t first = 0; first < workedOn(batch, part); first += part) {
        const std::int64_t images = std::min(part, batch - first);
        const FftSpectra xs = inputSpectra(kept, first, part, batch);
        const FftSpectra dys = spectraOf(m_tools.scratch.second, layoutOf(half, images * tiles, filters()));
        if (kept == nullptr) {
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
