#pragma once
#include "engine/precision/policy.h"
#include <optional>
#include <string>
#include <vector>

namespace halfstep::precision {

/// Those of Adam's constants that 16-bit state can spoil.
struct AdamConstants {
    double beta2 = 0.999;
    double epsilon = 1e-7;
};

/// What will go wrong under a policy with 16-bit variables, in sentences for a person, before the run; empty for the
/// other policies. Without `adam` the optimizer has no state.
std::vector<std::string> warningsOf(Policy policy, const std::optional<AdamConstants>& adam);

} // namespace halfstep::precision
