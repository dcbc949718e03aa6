#pragma once
#include "engine/backend/backend.h"

namespace halfstep::backend {

/// A device of which the verbs do nothing: what rehearsals of every back end start from. The convolutions stay
/// Base's, as does memory; verbs that take scratch memory are for the device to override.
template <typename Base>
class IdleVerbs : public Base {
public:
    using Base::Base;

    void upload(std::span<const float>, const Tensor&) override {}
    void download(const Tensor&, std::span<float>) override {}
    void cast(const Tensor&, const Tensor&) override {}
    void normalizeImages(std::span<const std::uint8_t>, const Tensor&) override {}
    void biasReluBackward(const Tensor&, const Tensor&, const Tensor&) override {}
    void batchNormTrain(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                        const Tensor&) override {}
    void batchNormInference(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                            const Tensor&) override {}
    void batchNormBackward(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                           const Tensor&, const Tensor&, const Tensor&) override {}
    void batchNormReluBackward(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                               const Tensor&, const Tensor&, const Tensor&, const Tensor&) override {}
    void movingAverage(const Tensor&, float, const Tensor&) override {}
    void globalAveragePool(const Tensor&, const Tensor&) override {}
    void globalAveragePoolBackward(const Tensor&, const Tensor&) override {}
    void dense(const Tensor&, const Tensor&, const Tensor&, const Tensor&) override {}
    void denseBackward(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                       const Tensor&) override {}
    LossResult softmaxCrossEntropy(const Tensor&, std::span<const std::int64_t>, float, const Tensor*,
                                   std::span<float>) override {
        return {};
    }
    bool unscale(const Tensor&, float, const Tensor&) override { return true; }
    UpdateCounts adam(const Tensor&, const AdamOptions&, std::int64_t, const Tensor&, const Tensor&,
                      const Tensor&) override {
        return {};
    }
    UpdateCounts sgd(const Tensor&, double, const Tensor&) override { return {}; }
    tensor::ExponentHistogram exponents(const Tensor&) override { return {}; }
};

} // namespace halfstep::backend
