#include "engine/optim/optimizer.h"
#include "engine/precision/round_to.h"

namespace halfstep::optim {
namespace {

class Adam final : public Optimizer {
public:
    Adam(std::shared_ptr<backend::Backend> device, const std::deque<nn::Variable>& variables,
         const backend::AdamOptions& options)
        : m_device(std::move(device)) {
        for (const nn::Variable& variable : variables) {
            if (!variable.trainable) {
                continue;
            }
            const tensor::Tensor& value = variable.value;
            Slot& slot = m_slots.emplace_back(Slot{variable.name, value, variable.unscaledGradient,
                                                   m_device->allocate(value.dtype, value.shape),
                                                   m_device->allocate(value.dtype, value.shape), options});
            slot.options.epsilon =
                static_cast<double>(precision::roundTo(value.dtype, static_cast<float>(options.epsilon)));
        }
    }

    std::vector<NamedState> state() const override {
        std::vector<NamedState> state;
        for (const Slot& slot : m_slots) {
            state.push_back({"adam_m/" + slot.name, slot.m});
            state.push_back({"adam_v/" + slot.name, slot.v});
        }
        return state;
    }

private:
    struct Slot {
        std::string name;
        tensor::Tensor value, gradient, m, v;
        backend::AdamOptions options; ///< epsilon as the variable's dtype holds it
    };

    backend::UpdateCounts update(std::int64_t iteration) override {
        backend::UpdateCounts counts;
        for (const Slot& slot : m_slots) {
            counts += m_device->adam(slot.gradient, slot.options, iteration, slot.m, slot.v, slot.value);
        }
        return counts;
    }

    std::shared_ptr<backend::Backend> m_device;
    std::vector<Slot> m_slots;
};

} // namespace

std::unique_ptr<Optimizer> makeAdam(std::shared_ptr<backend::Backend> device,
                                    const std::deque<nn::Variable>& variables, const backend::AdamOptions& options) {
    return std::make_unique<Adam>(std::move(device), variables, options);
}

} // namespace halfstep::optim
