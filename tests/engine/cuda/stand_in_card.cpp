#include "tests/engine/cuda/stand_in_card.h"
#include "tests/engine/numerics/every_backend.h"
#include <stdexcept>

namespace halfstep::support {
namespace {

using namespace backend;

/// CudaBackend without the verbs that are not written yet: a test that calls one ends there.
class UnfinishedBackend final : public cuda::CudaBackend {
public:
    using CudaBackend::CudaBackend;

    void biasReluBackward(const Tensor&, const Tensor&, const Tensor&) override { missing(); }
    void batchNormTrain(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                        const Tensor&) override {
        missing();
    }
    void batchNormInference(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                            const Tensor&) override {
        missing();
    }
    void batchNormBackward(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                           const Tensor&, const Tensor&, const Tensor&) override {
        missing();
    }
    void batchNormReluBackward(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                               const Tensor&, const Tensor&, const Tensor&, const Tensor&) override {
        missing();
    }
    void globalAveragePool(const Tensor&, const Tensor&) override { missing(); }
    void globalAveragePoolBackward(const Tensor&, const Tensor&) override { missing(); }
    void dense(const Tensor&, const Tensor&, const Tensor&, const Tensor&) override { missing(); }
    void denseBackward(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                       const Tensor&) override {
        missing();
    }
    LossResult softmaxCrossEntropy(const Tensor&, std::span<const std::int64_t>, float, const Tensor*,
                                   std::span<float>) override {
        missing();
    }

private:
    [[noreturn]] static void missing() { throw std::logic_error("this verb is not written for cards yet"); }
};

} // namespace

std::shared_ptr<const cuda::Context> standInCard() {
    return cuda::Context::open(cuda::Driver::open(HALFSTEP_STAND_IN_DRIVER), 0);
}

std::shared_ptr<Backend> standInBackend(std::optional<std::uint64_t> limitBytes,
                                        std::shared_ptr<cuda::Convolutions> convolutions) {
    const auto card = standInCard();
    return std::make_shared<UnfinishedBackend>(card, cuda::DeviceMemory(card, limitBytes), std::move(convolutions));
}

// The suites of every back end run on it.
std::string isaUnderTest() {
    return "auto";
}

std::shared_ptr<Backend> makeTestBackend(int /*threads*/, const std::string& /*convolution*/) {
    return standInBackend();
}

std::vector<int> threadsUnderTest() {
    return {1, 1};
}

} // namespace halfstep::support
