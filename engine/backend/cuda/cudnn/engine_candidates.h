#pragma once
#include "engine/backend/cuda/cudnn/convolution_graph.h"
#include "engine/backend/cuda/cudnn/cudnn_target.h"

namespace halfstep::backend::cuda {

/// What cuDNN says about an engine.
struct EngineNotes {
    std::vector<cudnnBackendNumericalNote_t> numerical;
    std::vector<cudnnBackendBehaviorNote_t> behavior;

    bool has(cudnnBackendNumericalNote_t note) const;
    bool has(cudnnBackendBehaviorNote_t note) const;
    /// Whether results are what this arithmetic promises, and the same bits each time.
    bool allowedFor(Arithmetic arithmetic) const;
    /// "Tensor Cores", "no Tensor Cores", and what else is noted: "Tensor Cores, compiled at run time".
    std::string text() const;
};

struct Knob {
    int type = 0; ///< a cudnnBackendKnobType_t
    std::int64_t value = 0;
    bool operator==(const Knob&) const = default;
};

/// An engine with its settings, which may be able to run a graph: a plan made of it tells.
struct EngineCandidate {
    std::int64_t engine = 0; ///< cuDNN's number of it, for one kind of operation and one version
    EngineNotes notes;
    std::vector<Knob> knobs;
    Descriptor configuration;
};

/// What cuDNN's heuristics recommend, best first.
std::vector<EngineCandidate> recommendedCandidates(const CudnnTarget& target, const ConvolutionGraph& graph);
/// Every engine that takes the graph, with default settings: heuristics leave out many that do.
std::vector<EngineCandidate> enumeratedCandidates(const CudnnTarget& target, const ConvolutionGraph& graph);

} // namespace halfstep::backend::cuda
