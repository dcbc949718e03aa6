#include "engine/backend/cuda/cudnn/convolution_plan.h"
#include <fmt/format.h>

namespace halfstep::backend::cuda {
namespace {

/// Whether an engine is as fast as the arithmetic allows.
bool isPreferredFor(Arithmetic arithmetic, const EngineNotes& notes) {
    return arithmetic == Arithmetic::Float32 || notes.has(CUDNN_NUMERICAL_NOTE_TENSOR_CORE);
}

std::optional<ConvolutionPlan> firstThatFits(const std::vector<EngineCandidate>& candidates,
                                             const CudnnTarget& target, Arithmetic arithmetic,
                                             std::uint64_t workspaceBudget, bool preferred) {
    for (const EngineCandidate& candidate : candidates) {
        if (isPreferredFor(arithmetic, candidate.notes) != preferred) {
            continue;
        }
        if (auto plan = planOf(candidate, target, arithmetic, workspaceBudget)) {
            return plan;
        }
    }
    return std::nullopt;
}

std::string_view nameOf(ConvolutionPass pass) {
    switch (pass) {
    case ConvolutionPass::Forward:
        return "forward pass";
    case ConvolutionPass::BackwardWeights:
        return "weight gradient";
    case ConvolutionPass::BackwardData:
        return "data gradient";
    }
    return "?";
}

} // namespace

std::string ConvolutionPlan::text() const {
    constexpr std::uint64_t kMebibyte = 1 << 20;
    return fmt::format("cuDNN engine {}, {}, {} MiB workspace", engine, notes.text(),
                       (workspaceBytes + kMebibyte - 1) / kMebibyte);
}

std::optional<ConvolutionPlan> planOf(const EngineCandidate& candidate, const CudnnTarget& target,
                                      Arithmetic arithmetic, std::uint64_t workspaceBudget) {
    if (!candidate.notes.allowedFor(arithmetic)) {
        return std::nullopt;
    }
    Descriptor execution(target.library(), CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    execution.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, candidate.configuration);
    target.setOn(execution, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP);
    if (target.handle() != nullptr) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // versions before 9.8 know no other way to name the card
        execution.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, target.handle());
#pragma GCC diagnostic pop
    }
    if (!execution.tryFinalize()) {
        return std::nullopt;
    }
    const auto bytes =
        static_cast<std::uint64_t>(execution.value<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE));
    if (bytes > workspaceBudget) {
        return std::nullopt;
    }
    return ConvolutionPlan{candidate.engine, candidate.notes, candidate.knobs, bytes, std::move(execution)};
}

ConvolutionPlan planConvolution(const CudnnTarget& target, const ConvolutionProblem& problem,
                                std::uint64_t workspaceBudget) {
    const ConvolutionGraph graph(target.library(), problem, target.handle());
    const auto first = [&](const std::vector<EngineCandidate>& candidates, bool preferred) {
        return firstThatFits(candidates, target, problem.arithmetic, workspaceBudget, preferred);
    };
    const std::vector<EngineCandidate> recommended = recommendedCandidates(target, graph);
    auto plan = first(recommended, true);
    if (!plan) {
        const std::vector<EngineCandidate> all = enumeratedCandidates(target, graph);
        plan = first(all, true);
        plan = plan ? std::move(plan) : first(recommended, false);
        plan = plan ? std::move(plan) : first(all, false);
    }
    if (!plan) {
        throw BackendError(fmt::format("cuDNN {} has no way to do the {} of a convolution in {} on this card with {} "
                                       "MiB of workspace (images {}, "
                                       "kernels {}). Choose another precision, or a smaller batch.",
                                       target.library()->versionText(), nameOf(problem.pass),
                                       nameOf(problem.arithmetic), workspaceBudget >> 20, problem.x.text(),
                                       problem.w.text()));
    }
    return std::move(*plan);
}

} // namespace halfstep::backend::cuda
