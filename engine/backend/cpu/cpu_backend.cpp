#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/elements.h"
#include "engine/backend/cpu/machine_memory.h"
#include "engine/backend/cpu/usable_cores.h"
#include <algorithm>

namespace halfstep::backend::cpu {
namespace {

constexpr std::size_t kElementBlock = 32768;

} // namespace

CpuBackend::CpuBackend(const BackendOptions& options, std::string_view machine)
    : CpuBackend(options, machine, chooseInstructionSet(options.isa)) {}

CpuBackend::CpuBackend(const BackendOptions& options, std::string_view machine, const InstructionSet& set)
    : CpuDevice(set, kernelsFor(set), MemoryLedger(options.memoryLimitBytes),
                options.threads > 0 ? options.threads : usableCores(), ThreadPool::Work::Done,
                {options.convolution,
                 MethodMemory(options.measurements, std::string(machine) + ' ' + std::string(set.name))}) {}

CpuBackend::~CpuBackend() = default;

std::uint64_t CpuBackend::freeBytes() const {
    const std::uint64_t ofMachine = machineMemory().freeBytes;
    return std::min(ofMachine, m_memory.leftBytes().value_or(ofMachine));
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

} // namespace halfstep::backend::cpu
