#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/elements.h"
#include "engine/backend/cpu/machine_memory.h"
#include "engine/backend/cpu/rehearsal.h"
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
      m_convolutions({options.convolution,
                      MethodMemory(options.measurements, std::string(machine) + ' ' + std::string(m_set.name))},
                     isa(), m_pool, m_kernels, m_memory) {}

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
    return allocateTensor(m_memory, dtype, shape);
}

std::uint64_t CpuBackend::peakBytes() const {
    return m_memory.peakBytes();
}

std::uint64_t CpuBackend::heldBytes() const {
    return m_memory.heldBytes();
}

std::uint64_t CpuBackend::freeBytes() const {
    const std::uint64_t ofMachine = machineMemory().freeBytes;
    return std::min(ofMachine, m_memory.leftBytes().value_or(ofMachine));
}

std::shared_ptr<Backend> CpuBackend::rehearsal() const {
    return std::make_shared<Rehearsal>(m_set, m_kernels, threads(), m_convolutions.planner());
}

void CpuBackend::forElements(std::size_t n, FunctionRef<void(std::size_t, std::size_t)> work) {
    m_pool.run(static_cast<std::int64_t>((n + kElementBlock - 1) / kElementBlock), [&](std::int64_t block, int) {
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

ConvolutionAlgorithms CpuBackend::convolutionAlgorithms(const Shape& x, const Shape& w,
                                                        const ConvolutionOptions& options, DType dtype) {
    return m_convolutions.of(x, w, options).algorithms(dtype);
}

void CpuBackend::conv2dBiasRelu(const Tensor& x, const Tensor& w, const Tensor& b, const ConvolutionOptions& options,
                                const Tensor& y, ReserveSpace* reserve) {
    m_convolutions.of(x.shape, w.shape, options).forward(x, w, b, y, reserve);
}

void CpuBackend::conv2dBackwardWeights(const Tensor& x, const Tensor& dy, const ConvolutionOptions& options,
                                       const Tensor& dw, ReserveSpace* reserve) {
    m_convolutions.of(x.shape, dw.shape, options).backwardWeights(x, dy, dw, reserve);
}

void CpuBackend::conv2dBackwardData(const Tensor& w, const Tensor& dy, const ConvolutionOptions& options,
                                    const Tensor& dx, ReserveSpace* reserve) {
    m_convolutions.of(dx.shape, w.shape, options).backwardData(w, dy, dx, reserve);
}

} // namespace halfstep::backend::cpu
