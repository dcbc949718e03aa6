#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/elements.h"
#include "engine/backend/cpu/fft/fft_cost.h"
#include "engine/backend/cpu/one_dnn.h"
#include "engine/backend/cpu/usable_cores.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::backend::cpu {
namespace {

constexpr std::size_t kElementBlock = 32768;

} // namespace

CpuBackend::CpuBackend(const BackendOptions& options)
    : m_set(chooseInstructionSet(options.isa)),
      m_kernels(kernelsFor(m_set)),
      m_memory(options.memoryLimitBytes),
      m_pool(options.threads > 0 ? options.threads : usableCores()),
      m_convolution(options.convolution),
      m_scratch(m_pool.threads()),
      m_fftScratch(m_pool.threads()) {}

CpuBackend::~CpuBackend() = default;

std::string CpuBackend::text() const {
    return fmt::format("CPU {}, {} thread{}", m_set.title, threads(), threads() == 1 ? "" : "s");
}

std::string CpuBackend::isa() const {
    return std::string(m_set.name);
}

int CpuBackend::threads() const {
    return m_pool.threads();
}

Tensor CpuBackend::allocate(DType dtype, const Shape& shape) {
    Tensor tensor{dtype, shape, nullptr};
    tensor.data = m_memory.allocate(tensor.bytes(), fmt::format("a {} tensor {}", nameOf(dtype), shape.text()));
    return tensor;
}

std::uint64_t CpuBackend::peakBytes() const {
    return m_memory.peakBytes();
}

void CpuBackend::forElements(std::size_t n, FunctionRef<void(std::size_t, std::size_t)> work) {
    m_pool.run(static_cast<int>((n + kElementBlock - 1) / kElementBlock), [&](int block, int) {
        const std::size_t begin = static_cast<std::size_t>(block) * kElementBlock;
        work(begin, std::min(kElementBlock, n - begin));
    });
}

void CpuBackend::upload(std::span<const float> values, const Tensor& to) {
    m_kernels.of(to.dtype).fromFloat(values.data(), countOf(to), to.data.get());
}

void CpuBackend::download(const Tensor& from, std::span<float> values) {
    m_kernels.of(from.dtype).toFloat(from.data.get(), countOf(from), values.data());
}

void CpuBackend::cast(const Tensor& x, const Tensor& y) {
    forElements(countOf(x), [&](std::size_t begin, std::size_t count) {
        if (y.dtype == DType::Float32) {
            m_kernels.of(x.dtype).toFloat(at(x, begin), count, y.f32() + begin);
        } else if (x.dtype == DType::Float32) {
            m_kernels.of(y.dtype).fromFloat(x.f32() + begin, count, at(y, begin));
        } else {
            float between[1024];
            for (std::size_t done = 0; done < count; done += std::size(between)) {
                const std::size_t part = std::min(std::size(between), count - done);
                m_kernels.of(x.dtype).toFloat(at(x, begin + done), part, between);
                m_kernels.of(y.dtype).fromFloat(between, part, at(y, begin + done));
            }
        }
    });
}

void CpuBackend::normalizeImages(std::span<const std::uint8_t> images, const Tensor& y) {
    forElements(countOf(y), [&](std::size_t begin, std::size_t count) {
        m_kernels.of(y.dtype).fromBytes(images.data() + begin, count, at(y, begin));
    });
}

Convolution* CpuBackend::fftConvolutionOf(const ConvolutionGeometry& geometry, std::int64_t batch) {
    if (m_convolution == "direct") {
        return nullptr;
    }
    ConvolutionGeometry key = geometry;
    key.images = batch;
    const auto [found, isNew] = m_fftConvolutions.try_emplace(key);
    if (isNew) {
        const std::optional<FftPlan> plan = cheapestFftPlan(geometry, batch);
        if (plan && (m_convolution == "fft" || fftCost(geometry, *plan, batch) < directCost(geometry, batch))) {
            found->second = std::make_unique<FftConvolution>(geometry, *plan,
                                                             FftTools{m_pool, m_kernels, m_memory, m_fftScratch});
        }
    }
    return found->second.get();
}

Convolution& CpuBackend::convolutionOf(const Shape& x, const Shape& w, int stride) {
    ConvolutionGeometry geometry{1, x[1], x[2], x[3], w[0], w[1], w[3], stride};
    if (Convolution* fft = fftConvolutionOf(geometry, x[0])) {
        return *fft;
    }
    geometry.images = imagesAtATime(x[0], geometry.outputHeight() * geometry.outputWidth());
    std::unique_ptr<Convolution>& convolution = m_convolutions[geometry];
    if (!convolution) {
        holdOneDnnTo(m_set.name);
        const ConvolutionTools tools{m_pool, m_kernels, m_memory, m_scratch};
        if (NarrowConvolution::fits(geometry)) {
            convolution = std::make_unique<NarrowConvolution>(geometry, tools);
        } else {
            convolution = std::make_unique<DirectConvolution>(geometry, tools);
        }
    }
    return *convolution;
}

void CpuBackend::conv2dBiasRelu(const Tensor& x, const Tensor& w, const Tensor& b, int stride, const Tensor& y) {
    convolutionOf(x.shape, w.shape, stride).forward(x, w, b, y);
}

void CpuBackend::conv2dBackwardWeights(const Tensor& x, const Tensor& dy, int stride, const Tensor& dw) {
    convolutionOf(x.shape, dw.shape, stride).backwardWeights(x, dy, dw);
}

void CpuBackend::conv2dBackwardData(const Tensor& w, const Tensor& dy, int stride, const Tensor& dx) {
    convolutionOf(dx.shape, w.shape, stride).backwardData(w, dy, dx);
}

} // namespace halfstep::backend::cpu
