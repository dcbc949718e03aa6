#pragma once
#include <cstdint>
#include <string>

namespace halfstep::train {

/// What a training is at.
enum class Phase {
    Setup,      ///< network, optimizer, first weights
    Upload,     ///< a batch, from its loader to the device
    Forward,    ///< pass, and the loss
    Backward,   ///< pass
    Optimizer,  ///< check and update of the variables
    Validation, ///< after an epoch
    Checkpoint  ///< or the copy of the weights at the end
};

/// Where a training has got to. It is kept outside of what trains, so that it can be told after that was ended by an
/// exception and gave its memory back.
struct Whereabouts {
    Phase phase = Phase::Setup;
    std::int64_t step = 0; ///< from 1; 0 before the first

    /// "in the backward pass of step 3"
    std::string text() const;
};

} // namespace halfstep::train
