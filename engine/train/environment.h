#pragma once
#include "engine/values/environment.h"
#include "engine/values/experiment_config.h"
#include <string>

namespace halfstep::backend {
class Backend;
}

namespace halfstep::train {

/// What this machine, this build and this back end are; `deviceId` as in DeviceInfo ("cpu"), `dataFingerprint` as in
/// DatasetInfo.
values::Environment gatherEnvironment(const backend::Backend& device, const std::string& deviceId,
                                      const std::string& dataFingerprint);

/// How the device does the convolutions of the training step. May try them out, once for a machine.
std::vector<values::ConvolutionUse> convolutionsOf(backend::Backend& device, const values::ExperimentConfig& config);

} // namespace halfstep::train
