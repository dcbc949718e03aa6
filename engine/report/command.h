#pragma once
#include "engine/values/sweep.h"
#include <string>
#include <string_view>
#include <vector>

/// The command that makes a run or a sweep again, from its settings.
namespace halfstep::report {

/// The option of a setting: "--batch-size" for "batch_size".
std::string flagOf(std::string_view field);

/// "train" and an option for every setting that is not its default. Read by `halfstep train` they give the same
/// configuration; the epochs of a run that ends after `steps` are left out, since they decide nothing.
std::vector<std::string> trainArguments(const values::ExperimentConfig& config);

/// "sweep" likewise. Settings of `base` that no step of a sweep looks at (epochs, checkpoints ...) are left out.
std::vector<std::string> sweepArguments(const values::SweepConfig& config);

/// `halfstep` with the arguments as a line for a shell, whatever is in them: plain words as they are, others in
/// quotation marks; control characters and bytes that are not UTF-8 as $'\x0a' (bash, zsh, ksh, POSIX 2024).
std::string shellCommand(const std::vector<std::string>& arguments);

} // namespace halfstep::report
