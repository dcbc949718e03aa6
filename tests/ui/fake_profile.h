#pragma once
#include "engine/tensor/error.h"
#include "ui/bridge/profile_session.h"
#include <chrono>
#include <exception>
#include <thread>

namespace halfstep::tests {

/// A step of three counted operations and two that are not, at ceilings of 100 GFLOP/s and 20 GB/s.
inline values::StepProfile fakeStepProfile(precision::Policy policy, double convolutionMs = 8) {
    using values::PartKind;
    values::StepProfile profile;
    profile.config.policy = policy;
    profile.environment.isa = "avx2";
    profile.environment.device = "cpu";
    profile.environment.threads = 2;
    profile.ceilings = {"avx2", 2, 100, 20, 10, 15};
    const auto times = [](double ms) { return values::StepTimes{ms, ms * 0.9, ms * 1.1}; };
    profile.parts = {{.layer = "input", .operation = "wait", .kind = PartKind::Input, .milliseconds = times(1)},
                     {.layer = "conv2d",
                      .operation = "backward_weights",
                      .kind = PartKind::Convolution,
                      .milliseconds = times(convolutionMs),
                      .flops = 4e8,
                      .directFlops = 16e8,
                      .bytes = 2e7,
                      .algorithm = "FFT, 4 tiles of 35x35 an image"},
                     {.layer = "batch_normalization",
                      .operation = "forward",
                      .kind = PartKind::Normalization,
                      .milliseconds = times(2),
                      .flops = 1e7,
                      .directFlops = 1e7,
                      .bytes = 2e7},
                     {.layer = "loss",
                      .operation = "forward_backward",
                      .kind = PartKind::Head,
                      .milliseconds = times(0.5),
                      .flops = 1000,
                      .directFlops = 1000,
                      .bytes = 2000},
                     {.layer = "step", .operation = "other", .milliseconds = times(0.5)}};
    const double sum = profile.sumOfParts();
    for (values::ProfilePart& part : profile.parts) {
        part.share = part.milliseconds.median / sum;
    }
    profile.unprofiledStep = {sum, sum * 0.99, sum * 1.01};
    profile.steps = 20;
    return profile;
}

struct FakeProfilePlan {
    bool endless = false;        ///< goes on until it is stopped
    std::exception_ptr thrown{}; ///< instead of profiles
};

/// Profiling without an engine; the first configuration is the faster one.
inline ui::ProfileSession::ProfileFunction fakeProfile(FakeProfilePlan plan = {}) {
    return [plan](const std::vector<values::ExperimentConfig>& configs, const train::Places&,
                  const measure::ProfileOptions&, const measure::ProfileProgress& progress, std::stop_token stop) {
        if (plan.thrown) {
            std::rethrow_exception(plan.thrown);
        }
        progress({"Profiling", 1, 40});
        while (plan.endless) {
            if (stop.stop_requested()) {
                throw Cancelled();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ui::ProfileSession::Profiles profiles;
        for (const values::ExperimentConfig& config : configs) {
            profiles.push_back(fakeStepProfile(config.policy, profiles.empty() ? 8 : 12));
            profiles.back().config = config;
        }
        return profiles;
    };
}

} // namespace halfstep::tests
