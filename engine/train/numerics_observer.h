#pragma once
#include "engine/backend/backend.h"
#include "engine/nn/step_observer.h"
#include "engine/values/numerics.h"

namespace halfstep::train {

/// Counts the exponents of every tensor of a step.
class NumericsObserver final : public nn::StepObserver {
public:
    explicit NumericsObserver(backend::Backend& device) : m_device(device) {}

    void saw(const nn::ObservedTensor& observed) override;
    /// What was seen since the last call.
    values::NumericsRecord take(std::int64_t step, double lossScale);

private:
    backend::Backend& m_device;
    values::NumericsRecord m_record;
};

} // namespace halfstep::train
