// The verbs of CpuBackend at the network's end: dense layer, softmax and loss. Their tensors are small (N x 128 and
// N x 10), so they are taken to float32 whole and worked on by the calling thread.
#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/softmax_row.h"

namespace halfstep::backend::cpu {

void CpuBackend::toHost(const Tensor& x, std::vector<float>& values) {
    values.resize(static_cast<std::size_t>(x.count()));
    download(x, values);
}

void CpuBackend::dense(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y) {
    const std::size_t n = static_cast<std::size_t>(x.shape[0]), c = static_cast<std::size_t>(x.shape[1]);
    const std::size_t k = static_cast<std::size_t>(w.shape[1]);
    auto& [input, weights, bias, output] = m_head.forward;
    toHost(x, input);
    toHost(w, weights);
    toHost(b, bias);
    output.assign(n * k, 0.0f);
    for (std::size_t sample = 0; sample < n; ++sample) {
        float* sums = output.data() + sample * k;
        for (std::size_t channel = 0; channel < c; ++channel) {
            m_kernels.f32.axpy(input[sample * c + channel], weights.data() + channel * k, k, sums);
        }
        m_kernels.f32.add(bias.data(), k, sums);
    }
    upload(output, y);
}

void CpuBackend::denseBackward(const Tensor& x, const Tensor& w, const Tensor& dy, const Tensor& dx, const Tensor& dw,
                               const Tensor& db) {
    const std::size_t n = static_cast<std::size_t>(x.shape[0]), c = static_cast<std::size_t>(x.shape[1]);
    const std::size_t k = static_cast<std::size_t>(w.shape[1]);
    auto& [input, weights, gradient, inputGradient, weightGradient, biasGradient] = m_head.backward;
    toHost(x, input);
    toHost(w, weights);
    toHost(dy, gradient);
    inputGradient.resize(n * c);
    weightGradient.assign(c * k, 0.0f);
    biasGradient.assign(k, 0.0f);
    for (std::size_t sample = 0; sample < n; ++sample) {
        const float* g = gradient.data() + sample * k;
        for (std::size_t channel = 0; channel < c; ++channel) {
            inputGradient[sample * c + channel] = m_kernels.f32.dot(g, weights.data() + channel * k, k);
            m_kernels.f32.axpy(input[sample * c + channel], g, k, weightGradient.data() + channel * k);
        }
        m_kernels.f32.add(g, k, biasGradient.data());
    }
    upload(inputGradient, dx);
    upload(weightGradient, dw);
    upload(biasGradient, db);
}

LossResult CpuBackend::softmaxCrossEntropy(const Tensor& logits, std::span<const std::int64_t> labels,
                                           float lossScale, const Tensor* dlogits, std::span<float> probabilities) {
    const std::size_t n = static_cast<std::size_t>(logits.shape[0]), k = static_cast<std::size_t>(logits.shape[1]);
    auto& [values, gradient, softmax] = m_head.loss;
    toHost(logits, values);
    gradient.resize(dlogits != nullptr ? n * k : 0);
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
        upload(gradient, *dlogits);
    }
    return result;
}

} // namespace halfstep::backend::cpu
