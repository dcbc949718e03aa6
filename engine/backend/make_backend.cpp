#include "engine/backend/backend.h"
#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/devices.h"
#include "engine/backend/machine.h"
#include "engine/tensor/error.h"
#include <fmt/format.h>

namespace halfstep::backend {

std::shared_ptr<Backend> makeBackend(const BackendOptions& options) {
    if (options.device == "auto" || options.device == "cpu") {
        return std::make_shared<cpu::CpuBackend>(options, cpuName());
    }
    for (const DeviceInfo& device : devices()) {
        if (device.id == options.device && !device.usable) {
            throw BackendError(fmt::format("The device '{}' cannot be used: {}", options.device, device.text));
        }
    }
    throw ConfigError("device", fmt::format("There is no device '{}'; choose auto, cpu or cuda:0.", options.device));
}

} // namespace halfstep::backend
