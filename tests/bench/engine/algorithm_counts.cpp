#include "tests/bench/engine/algorithm_counts.h"
#include "engine/backend/cpu/fft/fft_cost.h"
#include "engine/backend/cpu/plan/convolution_planner.h"

namespace halfstep::bench {

using analysis::ConvolutionPass;
namespace cpu = backend::cpu;

namespace {

/// As a back end chooses that has no measurements; none if it is not a Fourier transform.
std::optional<cpu::FftPlan> planOf(const cpu::ConvolutionGeometry& geometry, std::int64_t batch,
                                   const std::string& convolution) {
    const cpu::ConvolutionMethod method = cpu::ConvolutionPlanner(convolution, cpu::MethodMemory({}, ""))
                                              .withoutTrials()
                                              .methodFor(geometry, batch, [] { return true; }, {});
    return method.kind == cpu::ConvolutionMethod::Kind::Fft ? cpu::fftPlanWithTile(geometry, method.tile)
                                                            : std::nullopt;
}

cpu::FftPass fftPass(ConvolutionPass pass) {
    switch (pass) {
    case ConvolutionPass::Forward:
        return cpu::FftPass::Forward;
    case ConvolutionPass::BackwardWeights:
        return cpu::FftPass::BackwardWeights;
    case ConvolutionPass::BackwardData:
        break;
    }
    return cpu::FftPass::BackwardData;
}

} // namespace

double algorithmFlops(const analysis::ConvolutionShape& s, ConvolutionPass pass, const std::string& convolution) {
    const cpu::ConvolutionGeometry geometry{1,        s.height, s.width,   s.channels,
                                            s.kernel, s.kernel, s.filters, s.stride};
    if (const std::optional<cpu::FftPlan> plan = planOf(geometry, s.batch, convolution)) {
        return 2 * cpu::fftOperations(geometry, *plan, s.batch, fftPass(pass)).all();
    }
    return analysis::directConvolution(s, pass, 4).flops;
}

std::optional<ConvolutionPass> passOf(const analysis::StepOperation& operation) {
    const bool convolution = operation.layer.starts_with("conv2d");
    if (convolution && operation.operation == "forward") {
        return ConvolutionPass::Forward;
    }
    if (convolution && operation.operation == "backward_weights") {
        return ConvolutionPass::BackwardWeights;
    }
    if (convolution && operation.operation == "backward_data") {
        return ConvolutionPass::BackwardData;
    }
    return std::nullopt;
}

std::size_t indexOf(const std::string& layer) {
    const std::size_t last = layer.find_last_of('_');
    const bool numbered =
        last != std::string::npos && layer.find_first_not_of("0123456789", last + 1) == std::string::npos;
    return numbered ? std::stoul(layer.substr(last + 1)) : 0;
}

std::vector<analysis::StepOperation> withAlgorithms(const analysis::StepShape& step, const std::string& convolution) {
    std::vector<analysis::StepOperation> operations = analysis::stepOperations(step);
    for (analysis::StepOperation& operation : operations) {
        if (const std::optional<ConvolutionPass> pass = passOf(operation)) {
            const analysis::ConvolutionShape shape = analysis::convolutionOf(step, indexOf(operation.layer));
            operation.count.flops = algorithmFlops(shape, *pass, convolution);
        }
    }
    return operations;
}

} // namespace halfstep::bench
