#include "engine/optim/adam.h"

namespace halfstep::optim {

Adam::Adam(std::shared_ptr<backend::Backend> device, const std::deque<nn::Variable>& variables,
           const backend::AdamOptions& options)
    : m_device(std::move(device)),
      m_options(options) {
    for (const nn::Variable& variable : variables) {
        if (variable.trainable) {
            const tensor::Shape& shape = variable.value.shape;
            m_slots.push_back({variable.value, variable.unscaledGradient,
                               m_device->allocate(tensor::DType::Float32, shape),
                               m_device->allocate(tensor::DType::Float32, shape)});
        }
    }
}

void Adam::apply() {
    ++m_iterations;
    for (const Slot& slot : m_slots) {
        m_device->adam(slot.gradient, m_options, m_iterations, slot.m, slot.v, slot.value);
    }
}

} // namespace halfstep::optim
