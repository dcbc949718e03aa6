#pragma once
#include "engine/backend/cuda/cudnn/engine_candidates.h"
#include <optional>

namespace halfstep::backend::cuda {

/// How a pass of a convolution is executed.
struct ConvolutionPlan {
    std::int64_t engine = 0;
    EngineNotes notes;
    std::vector<Knob> knobs;
    std::uint64_t workspaceBytes = 0;
    Descriptor execution; ///< cuDNN's execution plan

    /// "cuDNN engine 45, Tensor Cores, 7 MiB workspace"
    std::string text() const;
};

/// Most bytes of workspace that a plan may ask for; one block serves all convolutions, since they run in turn.
inline constexpr std::uint64_t kWorkspaceBudget = std::uint64_t{256} << 20;

/// The plan that a candidate makes, or nothing where its notes are against it, cuDNN refuses, or it wants more
/// workspace.
std::optional<ConvolutionPlan> planOf(const EngineCandidate& candidate, const CudnnTarget& target,
                                      Arithmetic arithmetic, std::uint64_t workspaceBudget);

/// The first plan that fits, of the candidates that cuDNN recommends and then of all; but one with Tensor Cores
/// before all others, unless the arithmetic is strict. Throws BackendError with a sentence where there is none.
ConvolutionPlan planConvolution(const CudnnTarget& target, const ConvolutionProblem& problem,
                                std::uint64_t workspaceBudget = kWorkspaceBudget);

} // namespace halfstep::backend::cuda
