#pragma once
#include "engine/backend/backend.h"
#include <functional>
#include <memory>
#include <string_view>

namespace halfstep::support {

/// A device that does what another does and tells a test each verb, by its name in Backend, before it does it. What
/// the test throws then comes out of the verb. Its rehearsal is the other's own and tells nothing.
std::shared_ptr<backend::Backend> watchedDevice(std::shared_ptr<backend::Backend> device,
                                                std::function<void(std::string_view verb)> before);

} // namespace halfstep::support
