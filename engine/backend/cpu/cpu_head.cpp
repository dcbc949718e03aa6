// The verbs of CpuBackend at the network's end: dense layer, softmax and loss. Their tensors are small (N x 128 and
// N x 10), so they are taken to float32 whole and worked on by the calling thread.
#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/softmax_row.h"

namespace halfstep::backend::cpu {

std::vector<float> CpuBackend::toHost(const Tensor& x) {
    std::vector<float> values(static_cast<std::size_t>(x.count()));
    download(x, values);
    return values;
}

void CpuBackend::fromHost(const std::vector<float>& values, const Tensor& y) {
    upload(values, y);
}

void CpuBackend::dense(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y) {
    const std::size_t n = static_cast<std::size_t>(x.shape[0]), c = static_cast<std::size_t>(x.shape[1]);
    const std::size_t k = static_cast<std::size_t>(w.shape[1]);
    const std::vector<float> input = toHost(x), weights = toHost(w), bias = toHost(b);
    std::vector<float> output(n * k, 0.0f);
    for (std::size_t sample = 0; sample < n; ++sample) {
        float* sums = output.data() + sample * k;
        for (std::size_t channel = 0; channel < c; ++channel) {
            m_kernels.f32.axpy(input[sample * c + channel], weights.data() + channel * k, k, sums);
        }
        m_kernels.f32.add(bias.data(), k, sums);
    }
    fromHost(output, y);
}

void CpuBackend::denseBackward(const Tensor& x, const Tensor& w, const Tensor& dy, const Tensor& dx, const Tensor& dw,
                               const Tensor& db) {
    const std::size_t n = static_cast<std::size_t>(x.shape[0]), c = static_cast<std::size_t>(x.shape[1]);
    const std::size_t k = static_cast<std::size_t>(w.shape[1]);
    const std::vector<float> input = toHost(x), weights = toHost(w), gradient = toHost(dy);
    std::vector<float> inputGradient(n * c), weightGradient(c * k, 0.0f), biasGradient(k, 0.0f);
    for (std::size_t sample = 0; sample < n; ++sample) {
        const float* g = gradient.data() + sample * k;
        for (std::size_t channel = 0; channel < c; ++channel) {
            inputGradient[sample * c + channel] = m_kernels.f32.dot(g, weights.data() + channel * k, k);
            m_kernels.f32.axpy(input[sample * c + channel], g, k, weightGradient.data() + channel * k);
        }
        m_kernels.f32.add(g, k, biasGradient.data());
    }
    fromHost(inputGradient, dx);
    fromHost(weightGradient, dw);
    fromHost(biasGradient, db);
}

LossResult CpuBackend::softmaxCrossEntropy(const Tensor& logits, std::span<const std::int64_t> labels,
                                           float lossScale, const Tensor* dlogits, std::span<float> probabilities) {
    const std::size_t n = static_cast<std::size_t>(logits.shape[0]), k = static_cast<std::size_t>(logits.shape[1]);
    const std::vector<float> values = toHost(logits);
    std::vector<float> gradient(dlogits != nullptr ? n * k : 0);
    SoftmaxRow softmax(k);
    LossResult result;
    for (std::size_t sample = 0; sample < n; ++sample) {
        const std::size_t label = static_cast<std::size_t>(labels[sample]);
        softmax.take({values.data() + sample * k, k});
        result.lossSum += softmax.crossEntropy(label);
        result.correct += softmax.largest() == label ? 1 : 0;
        for (std::size_t i = 0; i < k; ++i) {
            if (!probabilities.empty()) {
                probabilities[sample * k + i] = softmax.probability(i);
            }
            if (dlogits != nullptr) {
                gradient[sample * k + i] = softmax.gradient(i, label) / static_cast<float>(n) * lossScale;
            }
        }
    }
    if (dlogits != nullptr) {
        fromHost(gradient, *dlogits);
    }
    return result;
}

} // namespace halfstep::backend::cpu
