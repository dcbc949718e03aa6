#include "engine/optim/optimizer.h"

namespace halfstep::optim {
namespace {

class Sgd final : public Optimizer {
public:
    Sgd(std::shared_ptr<backend::Backend> device, const std::deque<nn::Variable>& variables, double learningRate)
        : m_device(std::move(device)),
          m_learningRate(learningRate) {
        for (const nn::Variable& variable : variables) {
            if (variable.trainable) {
                m_slots.push_back({variable.value, variable.unscaledGradient});
            }
        }
    }

    std::vector<NamedState> state() const override { return {}; }

private:
    struct Slot {
        tensor::Tensor value, gradient;
    };

    backend::UpdateCounts update(std::int64_t /*iteration*/) override {
        backend::UpdateCounts counts;
        for (const Slot& slot : m_slots) {
            counts += m_device->sgd(slot.gradient, m_learningRate, slot.value);
        }
        return counts;
    }

    std::shared_ptr<backend::Backend> m_device;
    double m_learningRate;
    std::vector<Slot> m_slots;
};

} // namespace

std::unique_ptr<Optimizer> makeSgd(std::shared_ptr<backend::Backend> device,
                                   const std::deque<nn::Variable>& variables, double learningRate) {
    return std::make_unique<Sgd>(std::move(device), variables, learningRate);
}

} // namespace halfstep::optim
