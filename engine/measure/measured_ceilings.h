#pragma once
#include "engine/values/profile.h"
#include <string>

namespace halfstep::measure {

/// Of this machine's cores, now: takes about half a second.
values::Ceilings measuredCeilings(int threads, const std::string& isa);

/// The better of two measurements in each rate: whatever else runs only takes away. `earlier` may be empty.
values::Ceilings bestOf(const values::Ceilings& earlier, const values::Ceilings& later);

} // namespace halfstep::measure
