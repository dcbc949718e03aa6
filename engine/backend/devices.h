#pragma once
#include "engine/precision/policy.h"
#include <cstdint>
#include <string>
#include <vector>

namespace halfstep::backend {

/// What one policy would really run on, on one device.
struct PolicySupport {
    precision::Policy policy{};
    bool supported = false;
    std::string text; ///< "stored in 16 bit, computed in float32 (AVX2)" or the reason why not
};

struct DeviceInfo {
    std::string id;   ///< "cpu", "cuda:0"
    std::string name; ///< "AMD EPYC 7B13"
    bool usable = false;
    std::string text;              ///< why not, in a sentence, if it is not usable
    int cores = 0;                 ///< that this process may use
    std::vector<std::string> isas; ///< that this CPU has and the kernels are built for, best first: "avx2", "sse4"
    std::uint64_t memoryBytes = 0; ///< of the machine or the card, lowered to a container's limit
    std::uint64_t freeMemoryBytes = 0;
    std::vector<PolicySupport> policies;
};

/// The CPU first, then GPUs. A machine without a usable GPU has one entry "cuda:0" that says what is missing.
std::vector<DeviceInfo> devices();

} // namespace halfstep::backend
