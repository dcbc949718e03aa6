#pragma once
#include "engine/values/environment.h"
#include "engine/values/experiment_config.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep::values {

/// What a part of a step is for.
enum class PartKind {
    Input,         ///< waiting for the batch, normalizing images
    Convolution,   ///< with bias and ReLU
    Normalization, ///< batch normalization, with pooling and the gradient of ReLU where they are one pass
    Head,          ///< dense layer and loss
    Variables,     ///< copies in 16 bit, unscaling, optimizer, moving averages
    Other          ///< what no operation took: calls, counters, the clock itself
};
/// "input", "convolution", "normalization", "head", "variables", "other"
std::string_view nameOf(PartKind kind);
std::optional<PartKind> partKindNamed(std::string_view name);

/// Milliseconds over the steps that were timed.
struct StepTimes {
    double median = 0, q25 = 0, q75 = 0;
    bool operator==(const StepTimes&) const = default;
};

/// One operation of a training step.
struct ProfilePart {
    std::string layer{};     ///< "conv2d_1", "batch_normalization", "variables", "images", "input", "step"
    std::string operation{}; ///< "backward_weights", as analysis::fusedStepOperations names it; "wait"; "other"
    PartKind kind = PartKind::Other;
    StepTimes milliseconds{};
    double share = 0;        ///< of the sum of all parts' medians, 0 to 1
    double flops = 0;        ///< float32 operations that the algorithm itself does
    double directFlops = 0;  ///< that direct summation would do: for one that is not a convolution, the same
    double bytes = 0;        ///< that it reads and writes at least, if every tensor passes once
    std::string algorithm{}; ///< "FFT, 4 tiles of 35x35 an image"; empty where there is only one way

    bool operator==(const ProfilePart&) const = default;
};

/// The rates that no kernel of this machine can pass, as backend::cpu::MachineCeilings measures them.
struct Ceilings {
    std::string isa{}; ///< that they were measured with
    int threads = 0;
    double gflops = 0;   ///< 10^9 float32 operations/s of multiply-adds in registers
    double readGbps = 0; ///< 10^9 bytes/s from arrays that no cache holds
    double copyGbps = 0, triadGbps = 0;

    double memoryGbps() const; ///< the best of the three
    bool operator==(const Ceilings&) const = default;
};

/// Where one training step goes.
struct StepProfile {
    ExperimentConfig config{}; ///< as it ran: device and threads resolved
    Environment environment{};
    Ceilings ceilings{};
    std::vector<ProfilePart> parts{}; ///< in the order of the step; "other" is the last
    StepTimes profiledStep{};         ///< from asking for the batch to the last update
    StepTimes unprofiledStep{};       ///< the same without the clock, in turn with the others
    double processorShare = 0;        ///< of the threads' time that they were running in the unprofiled steps, 0 to 1
    std::int64_t steps = 0;           ///< of each of the two that count
    std::int64_t warmUpSteps = 0;     ///< before them
    double warmUpMilliseconds = 0;
    std::int64_t skippedSteps = 0; ///< left out: their gradients were not finite
    std::int64_t classes = 10;

    double sumOfParts() const; ///< of the medians, milliseconds
    bool operator==(const StepProfile&) const = default;
};

} // namespace halfstep::values
