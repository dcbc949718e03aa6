#pragma once
#include "engine/values/profile.h"
#include <cstdint>
#include <vector>

namespace halfstep::backend {
class Backend;
}

namespace halfstep::measure {

/// What is known of every operation of a step without making it: kind, operations, bytes, algorithm; no times. In the
/// order of analysis::fusedStepOperations. `config` as it runs on `device`.
std::vector<values::ProfilePart> partFacts(const values::ExperimentConfig& config, std::int64_t classes,
                                           backend::Backend& device);

/// "forward_pooling", "backward_relu" ...: what one pass does that is more than its name in Keras; else empty.
std::string fusionText(const std::string& operation);

values::PartKind kindOf(const std::string& layer);

} // namespace halfstep::measure
