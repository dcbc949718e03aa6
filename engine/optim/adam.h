#pragma once
#include "engine/backend/backend.h"
#include "engine/nn/variable.h"
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace halfstep::optim {

/// Keras' Adam over the trainable variables of a network, in float32: first and second moment of every gradient, and
/// one iteration count that only applied steps raise.
class Adam {
public:
    Adam(std::shared_ptr<backend::Backend> device, const std::deque<nn::Variable>& variables,
         const backend::AdamOptions& options);

    /// Applies the unscaled gradients.
    void apply();
    std::int64_t iterations() const { return m_iterations; }

private:
    struct Slot {
        tensor::Tensor value, gradient, m, v;
    };
    std::shared_ptr<backend::Backend> m_device;
    backend::AdamOptions m_options;
    std::vector<Slot> m_slots;
    std::int64_t m_iterations = 0;
};

} // namespace halfstep::optim
