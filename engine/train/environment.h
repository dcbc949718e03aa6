#pragma once
#include "engine/values/environment.h"
#include <string>

namespace halfstep::backend {
class Backend;
}

namespace halfstep::train {

/// What this machine, this build and this back end are; `deviceId` as in DeviceInfo ("cpu"), `dataFingerprint` as in
/// DatasetInfo.
values::Environment gatherEnvironment(const backend::Backend& device, const std::string& deviceId,
                                      const std::string& dataFingerprint);

} // namespace halfstep::train
