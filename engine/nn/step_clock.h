#pragma once
#include <string_view>

namespace halfstep::nn {

/// Is told where a step has got to, so that it can say where the time goes. It changes nothing of what the step does:
/// the same kernels run, fused or not, as for nobody.
class StepClock {
public:
    virtual ~StepClock() = default;
    /// An operation has ended; what has passed since the last call was its own. Named as in
    /// analysis::fusedStepOperations: "conv2d_1", "backward_weights". Called on the thread that makes the step.
    virtual void lap(std::string_view layer, std::string_view operation) = 0;
};

} // namespace halfstep::nn
