#pragma once
#include "engine/values/environment.h"
#include "engine/values/experiment_config.h"
#include <optional>
#include <string>

namespace halfstep::backend {
class Backend;
}

namespace halfstep::train {

/// What this machine, this build and this back end are; `deviceId` as in DeviceInfo ("cpu"), `dataFingerprint` as in
/// DatasetInfo.
values::Environment gatherEnvironment(const backend::Backend& device, const std::string& deviceId,
                                      const std::string& dataFingerprint);

/// What a person should know before a run in 16 bits on a device that computes in float32 all the same; nothing where
/// it computes in what it stores.
std::optional<std::string> remarkOnComputing(const backend::Backend& device, precision::Policy policy);

/// "Tensors are stored in float16, but CPU AVX2, 2 threads computes in float32: ..."
std::string computingSentence(const std::string& deviceText, const std::string& stored, const std::string& computed);

/// How the device does the convolutions of the training step. May try them out, once for a machine.
std::vector<values::ConvolutionUse> convolutionsOf(backend::Backend& device, const values::ExperimentConfig& config);

} // namespace halfstep::train
