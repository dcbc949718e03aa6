#include "engine/backend/devices.h"
#include "engine/backend/cpu/instruction_set.h"
#include "engine/backend/machine.h"
#include <dlfcn.h>
#include <fmt/format.h>

namespace halfstep::backend {
namespace {

/// "stored in float16, computed in float32 on AVX2"
std::string supportText(const precision::PolicyTraits& traits, std::string_view isa) {
    if (traits.computeDType == tensor::DType::Float32) {
        return fmt::format("stored and computed in float32 on {}", isa);
    }
    return fmt::format("stored in {}{}, computed in float32 on {}", tensor::nameOf(traits.computeDType),
                       hasNarrowVariables(traits) ? ", weights too" : "", isa);
}

DeviceInfo cpuDevice() {
    DeviceInfo device;
    device.id = "cpu";
    device.name = cpuName();
    device.usable = true;
    device.cores = usableCores();
    const MachineMemory memory = machineMemory();
    device.memoryBytes = memory.totalBytes;
    device.freeMemoryBytes = memory.freeBytes;
    const std::vector<cpu::InstructionSet> sets = cpu::availableInstructionSets();
    for (const cpu::InstructionSet& set : sets) {
        device.isas.emplace_back(set.name);
    }
    for (const precision::Policy policy : precision::kPolicies) {
        device.policies.push_back({policy, true, supportText(precision::traitsOf(policy), sets.front().title)});
    }
    return device;
}

/// What keeps this build from using an NVIDIA GPU. The driver is looked for, so that the sentence says the right
/// thing.
DeviceInfo gpuDevice() {
    DeviceInfo device;
    device.id = "cuda:0";
    device.name = "NVIDIA GPU";
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    device.text =
        driver != nullptr
            ? "an NVIDIA driver is here, but this version of Halfstep trains on the CPU only."
            : "no NVIDIA driver is installed (libcuda.so.1 is missing), and this version of Halfstep trains on "
              "the CPU only.";
    if (driver != nullptr) {
        dlclose(driver);
    }
    for (const precision::Policy policy : precision::kPolicies) {
        device.policies.push_back({policy, false, device.text});
    }
    return device;
}

} // namespace

std::vector<DeviceInfo> devices() {
    return {cpuDevice(), gpuDevice()};
}

} // namespace halfstep::backend
