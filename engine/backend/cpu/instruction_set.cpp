#include "engine/backend/cpu/instruction_set.h"
#include "engine/tensor/error.h"
#include <array>
#include <fmt/format.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

namespace halfstep::backend::cpu {
namespace {

constexpr std::array kKnown{
    InstructionSet{"avx512_icelake", "AVX-512 (Ice Lake)", HWY_AVX3_DL},
    InstructionSet{"avx512", "AVX-512", HWY_AVX3},
    InstructionSet{"avx2", "AVX2", HWY_AVX2},
    InstructionSet{"sse4", "SSE4", HWY_SSE4},
    InstructionSet{"ssse3", "SSSE3", HWY_SSSE3},
    InstructionSet{"neon", "NEON", HWY_NEON},
    InstructionSet{"baseline", "baseline", HWY_EMU128},
    InstructionSet{"baseline", "baseline", HWY_SCALAR},
};

} // namespace

std::vector<InstructionSet> availableInstructionSets() {
    const std::int64_t usable = (hwy::SupportedTargets() & HWY_TARGETS) | HWY_STATIC_TARGET;
    std::vector<InstructionSet> available;
    for (const InstructionSet& set : kKnown) {
        // Below SSE4 oneDNN cannot be held; a CPU that has SSE4 is not offered less.
        const bool belowOneDnn = set.highwayTarget > HWY_SSE4 && !available.empty();
        if ((usable & set.highwayTarget) != 0 && !belowOneDnn) {
            available.push_back(set);
        }
    }
    return available;
}

InstructionSet chooseInstructionSet(std::string_view name) {
    const std::vector<InstructionSet> available = availableInstructionSets();
    if (name == "auto") {
        return available.front();
    }
    std::string names;
    for (const InstructionSet& set : available) {
        if (set.name == name) {
            return set;
        }
        names += names.empty() ? "" : ", ";
        names += set.name;
    }
    throw ConfigError(
        "isa",
        fmt::format("The instruction set '{}' is not available on this CPU; choose auto or one of {}.", name, names));
}

} // namespace halfstep::backend::cpu
