#pragma once
#include "engine/values/profile.h"
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace halfstep::app {

/// The profile for a person: sentences, then a line for each part, then what it was measured with. `baseline`, which
/// may be null, is another policy's profile of the same run: it explains the speed-up and adds two columns.
std::string profileText(const values::StepProfile& profile, const values::StepProfile* baseline);

/// The same as one document: sentences, bounds, most_by_halving, speedup (null without a baseline), and what
/// values::toJson gives, each part with intensity, gflops, direct_gflops, gbps, share_of_roof and bound; `against` is
/// the baseline in the same form, or null.
nlohmann::ordered_json profileJson(const values::StepProfile& profile, const values::StepProfile* baseline);

} // namespace halfstep::app
