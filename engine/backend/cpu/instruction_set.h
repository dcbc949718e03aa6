#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep::backend::cpu {

/// An instruction set that our kernels are built for.
struct InstructionSet {
    std::string_view name;      ///< "avx512", "avx2", "sse4", "ssse3", "baseline", "neon"
    std::string_view title;     ///< for people: "AVX2"
    std::int64_t highwayTarget; ///< HWY_AVX2, ...
};

/// Those that this CPU has and that all our libraries can be held to, best first.
std::vector<InstructionSet> availableInstructionSets();

/// "auto" is the best one. Throws ConfigError with the available names if this CPU or build lacks `name`.
InstructionSet chooseInstructionSet(std::string_view name);

} // namespace halfstep::backend::cpu
