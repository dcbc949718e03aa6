// The verbs of CpuBackend at the network's end: dense layer, softmax and loss. Their tensors are small (N x 128 and
// N x 10), so they are taken to float32 whole and worked on by the calling thread.
#include "engine/backend/cpu/cpu_backend.h"
#include <algorithm>
#include <cmath>

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
    std::vector<float> p(k);
    LossResult result;
    for (std::size_t sample = 0; sample < n; ++sample) {
        const float* row = values.data() + sample * k;
        const std::size_t label = static_cast<std::size_t>(labels[sample]);
        const float* largest = std::max_element(row, row + k);
        float sum = 0;
        for (std::size_t i = 0; i < k; ++i) {
            p[i] = std::exp(row[i] - *largest); // at most 1: no finite logit overflows
            sum += p[i];
        }
        // log(sum exp(z)) - z_label, shifted by the largest logit; sum >= 1.
        result.lossSum += static_cast<double>(std::log(sum) + (*largest - row[label]));
        result.correct += static_cast<std::size_t>(largest - row) == label ? 1 : 0;
        for (std::size_t i = 0; i < k; ++i) {
            p[i] /= sum;
        }
        if (!probabilities.empty()) {
            std::copy(p.begin(), p.end(), probabilities.begin() + static_cast<std::ptrdiff_t>(sample * k));
        }
        if (dlogits != nullptr) {
            for (std::size_t i = 0; i < k; ++i) {
                const float difference = p[i] - (i == label ? 1.0f : 0.0f);
                gradient[sample * k + i] = difference / static_cast<float>(n) * lossScale;
            }
        }
    }
    if (dlogits != nullptr) {
        fromHost(gradient, *dlogits);
    }
    return result;
}

} // namespace halfstep::backend::cpu
