#include "engine/values/run_summary.h"
#include <array>

namespace halfstep::values {
namespace {
constexpr std::array<std::string_view, 6> kNames{"running",  "finished", "stopped",
                                                 "diverged", "failed",   "interrupted"};
} // namespace

std::string_view nameOf(RunStatus status) {
    return kNames[static_cast<std::size_t>(status)];
}

std::optional<RunStatus> runStatusNamed(std::string_view name) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name) {
            return static_cast<RunStatus>(i);
        }
    }
    return std::nullopt;
}

} // namespace halfstep::values
