// The verbs of CpuBackend on variables and their gradients, element by element.
#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/elements.h"
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <mutex>

namespace halfstep::backend::cpu {

bool CpuBackend::unscale(const Tensor& gradient, float lossScale, const Tensor& to) {
    std::atomic<bool> finite = true;
    forElements(countOf(gradient), [&](std::size_t begin, std::size_t count) {
        const auto& kernels = m_kernels.of(gradient.dtype);
        if (to.dtype == DType::Float32) {
            if (!kernels.unscale(at(gradient, begin), count, lossScale, to.f32() + begin)) {
                finite = false;
            }
            return;
        }
        float between[1024];
        for (std::size_t done = 0; done < count; done += std::size(between)) {
            const std::size_t part = std::min(std::size(between), count - done);
            if (!kernels.unscale(at(gradient, begin + done), part, lossScale, between)) {
                finite = false;
            }
            m_kernels.of(to.dtype).fromFloat(between, part, at(to, begin + done));
        }
    });
    return finite;
}

UpdateCounts CpuBackend::countingUpdates(std::size_t n, UpdateOfBlock work) {
    std::mutex mutex;
    UpdateCounts total;
    forElements(n, [&](std::size_t begin, std::size_t count) {
        UpdateCounts counts;
        work(begin, count, counts);
        const std::scoped_lock lock(mutex);
        total += counts;
    });
    return total;
}

UpdateCounts CpuBackend::adam(const Tensor& gradient, const AdamOptions& options, std::int64_t iteration,
                              const Tensor& m, const Tensor& v, const Tensor& w) {
    const double t = static_cast<double>(iteration);
    const double alpha =
        options.learningRate * std::sqrt(1 - std::pow(options.beta2, t)) / (1 - std::pow(options.beta1, t));
    const AdamFactors factors{static_cast<float>(1 - options.beta1), static_cast<float>(1 - options.beta2),
                              static_cast<float>(alpha), static_cast<float>(options.epsilon)};
    return countingUpdates(countOf(w), [&](std::size_t begin, std::size_t count, UpdateCounts& counts) {
        m_kernels.of(w.dtype).adam(at(gradient, begin), count, factors, at(m, begin), at(v, begin), at(w, begin),
                                   counts);
    });
}

UpdateCounts CpuBackend::sgd(const Tensor& gradient, double learningRate, const Tensor& w) {
    return countingUpdates(countOf(w), [&](std::size_t begin, std::size_t count, UpdateCounts& counts) {
        m_kernels.of(w.dtype).sgd(at(gradient, begin), count, static_cast<float>(learningRate), at(w, begin), counts);
    });
}

void CpuBackend::movingAverage(const Tensor& batch, float momentum, const Tensor& moving) {
    m_kernels.of(moving.dtype).movingAverage(batch.f32(), countOf(batch), momentum, moving.data.get());
}

tensor::ExponentHistogram CpuBackend::exponents(const Tensor& x) {
    std::mutex mutex;
    tensor::ExponentHistogram histogram;
    forElements(countOf(x), [&](std::size_t begin, std::size_t count) {
        ExponentCounts counts;
        m_kernels.of(x.dtype).countExponents(at(x, begin), count, counts);
        const std::scoped_lock lock(mutex);
        histogram.zeros += counts.fields[0];
        histogram.nans += counts.nans;
        histogram.infinities += counts.fields[255] - counts.nans;
        for (int field = 1; field < 255; ++field) {
            histogram.at(field - 127) += counts.fields[static_cast<std::size_t>(field)];
        }
        for (int bit = 0; bit < 23; ++bit) {
            histogram.at(bit - 149) += counts.subnormals[static_cast<std::size_t>(bit)];
        }
        histogram.largest = std::max(histogram.largest, static_cast<double>(std::bit_cast<float>(counts.largest)));
    });
    return histogram;
}

} // namespace halfstep::backend::cpu
