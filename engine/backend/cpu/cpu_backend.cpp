#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/elements.h"
#include "engine/backend/cpu/one_dnn.h"
#include "engine/backend/cpu/plan/convolution_trial.h"
#include "engine/backend/cpu/usable_cores.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::backend::cpu {
namespace {

constexpr std::size_t kElementBlock = 32768;

} // namespace

CpuBackend::CpuBackend(const BackendOptions& options, std::string_view machine)
    : m_set(chooseInstructionSet(options.isa)),
      m_kernels(kernelsFor(m_set)),
      m_memory(options.memoryLimitBytes),
      m_pool(options.threads > 0 ? options.threads : usableCores()),
      m_planner(options.convolution,
                MethodMemory(options.measurements, std::string(machine) + ' ' + std::string(m_set.name))),
      m_scratch(m_pool.threads()) {}

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

Convolution& CpuBackend::convolutionOf(const Shape& x, const Shape& w, const ConvolutionOptions& options) {
    ConvolutionGeometry geometry{x[0], x[1], x[2], x[3], w[0], w[1], w[3], options.stride, options.padding};
    std::unique_ptr<Convolution>& convolution = m_convolutions[geometry];
    if (!convolution) {
        geometry.images = 1;
        const ConvolutionMethod method = m_planner.methodFor(
            geometry, x[0], [&] { return oneDnnCanBeHeldTo(m_set.name); },
            [&](const ConvolutionMethod& tried, const ConvolutionGeometry& g, std::int64_t batch) {
                return timeConvolution(tried, g, batch, m_pool, m_kernels, m_set.name);
            });
        convolution = makeConvolution(method, geometry, x[0], {m_pool, m_kernels, m_memory, m_scratch, m_set.name});
    }
    return *convolution;
}

ConvolutionAlgorithms CpuBackend::convolutionAlgorithms(const Shape& x, const Shape& w,
                                                        const ConvolutionOptions& options, DType dtype) {
    return convolutionOf(x, w, options).algorithms(dtype);
}

void CpuBackend::conv2dBiasRelu(const Tensor& x, const Tensor& w, const Tensor& b, const ConvolutionOptions& options,
                                const Tensor& y, ReserveSpace* reserve) {
    convolutionOf(x.shape, w.shape, options).forward(x, w, b, y, reserve);
}

void CpuBackend::conv2dBackwardWeights(const Tensor& x, const Tensor& dy, const ConvolutionOptions& options,
                                       const Tensor& dw, ReserveSpace* reserve) {
    convolutionOf(x.shape, dw.shape, options).backwardWeights(x, dy, dw, reserve);
}

void CpuBackend::conv2dBackwardData(const Tensor& w, const Tensor& dy, const ConvolutionOptions& options,
                                    const Tensor& dx, ReserveSpace* reserve) {
    convolutionOf(dx.shape, w.shape, options).backwardData(w, dy, dx, reserve);
}

} // namespace halfstep::backend::cpu
