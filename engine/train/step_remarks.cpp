#include "engine/train/step_remarks.h"
#include <fmt/format.h>
#include <string_view>

namespace halfstep::train {
namespace {

/// Skipped steps in a row after which a run is said to have diverged: from 2^15 the loss scale is at its floor
/// after 15.
constexpr std::int64_t kSkipsToDiverge = 50;

std::string culpritOf(const values::StepRecord& step) {
    return step.firstNonFinite.empty() ? "a gradient is not finite"
                                       : fmt::format("the first non-finite tensor is the {}", step.firstNonFinite);
}

std::string changeOfScale(double before, const precision::LossScaler& scaler) {
    return scaler.scale() == before ? fmt::format("stays at {:g}", before)
                                    : fmt::format("goes from {:g} to {:g}", before, scaler.scale());
}

/// A large loss scale that nothing lowers is the likelier reason than the weights.
std::string_view wayOut(const precision::LossScaler& scaler) {
    return scaler.isAtFloor()   ? "Lower the learning rate"
           : scaler.isDynamic() ? "Start from a lower loss scale or learning rate"
                                : "Lower the loss scale, or let it be dynamic";
}

} // namespace

std::string divergenceOf(const values::StepRecord& step, const precision::LossScaler* scaler) {
    if (!step.skipped) {
        return {};
    }
    if (scaler == nullptr) {
        return fmt::format("Diverged at step {}: {}, and this run has no loss scaling to recover with. Lower the "
                           "learning rate.",
                           step.step, culpritOf(step));
    }
    if (scaler->skippedStreak() >= kSkipsToDiverge) {
        return fmt::format("Diverged at step {}: gradients were not finite for {} steps in a row, with the loss "
                           "scale at {}{:g}; {}. {}.",
                           step.step, scaler->skippedStreak(), scaler->isAtFloor() ? "its floor, " : "",
                           scaler->scale(), culpritOf(step), wayOut(*scaler));
    }
    return {};
}

std::optional<values::Notice> remarkOn(const values::StepRecord& step, const precision::LossScaler* scaler) {
    using values::Severity;
    if (scaler == nullptr || !step.lossScale) {
        return std::nullopt;
    }
    if (step.skipped) {
        return values::Notice{Severity::Warning,
                              fmt::format("Step {} was skipped: {}; the loss scale {}.", step.step, culpritOf(step),
                                          changeOfScale(*step.lossScale, *scaler))};
    }
    if (scaler->scale() != *step.lossScale) {
        return values::Notice{Severity::Information,
                              fmt::format("Step {}: gradients have been finite for long; the loss scale {}.",
                                          step.step, changeOfScale(*step.lossScale, *scaler))};
    }
    return std::nullopt;
}

} // namespace halfstep::train
