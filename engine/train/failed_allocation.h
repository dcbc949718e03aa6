#pragma once
#include "engine/train/whereabouts.h"
#include <cstdint>
#include <optional>
#include <string>

namespace halfstep::backend {
class Backend;
}

namespace halfstep::train {

struct TrainingPlan;

/// What it means for a training that memory which it counted on was not given.
struct FailedAllocation {
    std::string sentence;        ///< where, for what, how much was wanted as far as that is known, what fits
    std::uint64_t freeBytes = 0; ///< of the device, now
    /// The largest batch that takes no more than what had been given until then; 0 if none does. Empty if that is the
    /// batch itself.
    std::optional<std::int64_t> largestBatch{};
};

/// Of the exception being handled, which is thrown on if it is neither an OutOfMemoryError nor a std::bad_alloc. To
/// be asked when the training has gone and its memory is back.
FailedAllocation failedAllocation(const Whereabouts& where, const TrainingPlan& plan, const backend::Backend& device);

} // namespace halfstep::train
