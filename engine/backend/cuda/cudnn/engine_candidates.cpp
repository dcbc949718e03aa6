#include "engine/backend/cuda/cudnn/engine_candidates.h"
#include <algorithm>

namespace halfstep::backend::cuda {
namespace {

constexpr std::int64_t kMostRecommended = 100;
constexpr std::int64_t kMostKnobs = CUDNN_KNOB_TYPE_COUNTS;

EngineCandidate candidateOf(Descriptor configuration) {
    const std::vector<Descriptor> engines =
        configuration.descriptors(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR, 1);
    const Descriptor& engine = engines.at(0);
    EngineNotes notes{
        engine.values<cudnnBackendNumericalNote_t>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_NUMERICAL_NOTE_TYPE_COUNT),
        engine.values<cudnnBackendBehaviorNote_t>(CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_BEHAVIOR_NOTE_TYPE_COUNT)};
    std::vector<Knob> knobs;
    for (const Descriptor& choice : configuration.descriptors(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                                                              CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, kMostKnobs)) {
        knobs.push_back({static_cast<int>(choice.value<cudnnBackendKnobType_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE)),
                         choice.value<std::int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE)});
    }
    return {engine.value<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX), std::move(notes), std::move(knobs),
            std::move(configuration)};
}

} // namespace

bool EngineNotes::has(cudnnBackendNumericalNote_t note) const {
    return std::find(numerical.begin(), numerical.end(), note) != numerical.end();
}

bool EngineNotes::has(cudnnBackendBehaviorNote_t note) const {
    return std::find(behavior.begin(), behavior.end(), note) != behavior.end();
}

bool EngineNotes::allowedFor(Arithmetic arithmetic) const {
    for (const auto note : {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC, CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION,
                            CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS, CUDNN_NUMERICAL_NOTE_WINOGRAD,
                            CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4, CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6,
                            CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13}) {
        if (has(note)) {
            return false;
        }
    }
    return arithmetic != Arithmetic::Float32 || !has(CUDNN_NUMERICAL_NOTE_TENSOR_CORE);
}

std::string EngineNotes::text() const {
    std::string text = has(CUDNN_NUMERICAL_NOTE_TENSOR_CORE) ? "Tensor Cores" : "no Tensor Cores";
    if (has(CUDNN_NUMERICAL_NOTE_FFT)) {
        text += ", FFT";
    }
    if (has(CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION)) {
        text += ", compiled at run time";
    }
    return text;
}

std::vector<EngineCandidate> recommendedCandidates(const CudnnTarget& target, const ConvolutionGraph& graph) {
    Descriptor heuristics(target.library(), CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.descriptor());
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_HEUR_MODE_A);
    target.setOn(heuristics, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP);
    std::vector<EngineCandidate> candidates;
    if (!heuristics.tryFinalize()) {
        return candidates; // no rule fits the graph; an engine still may
    }
    for (Descriptor& configuration : heuristics.descriptors(CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                                            CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, kMostRecommended)) {
        candidates.push_back(candidateOf(std::move(configuration)));
    }
    return candidates;
}

std::vector<EngineCandidate> enumeratedCandidates(const CudnnTarget& target, const ConvolutionGraph& graph) {
    const auto engines = graph.descriptor().value<std::int64_t>(CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT);
    std::vector<EngineCandidate> candidates;
    for (std::int64_t id = 0; id < engines; ++id) {
        Descriptor engine(target.library(), CUDNN_BACKEND_ENGINE_DESCRIPTOR);
        engine.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph.descriptor());
        engine.set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, id);
        target.setOn(engine, CUDNN_ATTR_ENGINE_DEVICEPROP);
        if (!engine.tryFinalize()) {
            continue;
        }
        Descriptor configuration(target.library(), CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
        configuration.set(CUDNN_ATTR_ENGINECFG_ENGINE, engine);
        if (configuration.tryFinalize()) {
            candidates.push_back(candidateOf(std::move(configuration)));
        }
    }
    return candidates;
}

} // namespace halfstep::backend::cuda
