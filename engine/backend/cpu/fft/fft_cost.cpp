#include "engine/backend/cpu/fft/fft_cost.h"

namespace halfstep::backend::cpu {
namespace {

// Shares of the CPU's multiply-add rate that the parts reach, measured with AVX2 on two cores.
constexpr double kDirectRate = 0.60;
constexpr double kProductRate = 0.65;
constexpr double kTransformRate = 0.25; // additions, and memory
constexpr double kWeightRate = 0.35;    // memory

/// Operations of one complex transform of kFftTiles[kernel] values.
constexpr std::array<double, kFftTiles.size()> kTransformOperations{190, 306, 582, 884};

} // namespace

double directCost(const ConvolutionGeometry& g, std::int64_t batch) {
    const double products = static_cast<double>(batch * g.outputHeight() * g.outputWidth() * g.filters) *
                            static_cast<double>(g.kernelHeight * g.kernelWidth * g.channels);
    return 3 * products / kDirectRate;
}

FftOperations fftOperations(const ConvolutionGeometry& g, const FftPlan& plan, std::int64_t batch, FftPass pass) {
    const double inputs = static_cast<double>(g.stride * g.stride * fftWhole(g.channels));
    const double outputs = static_cast<double>(fftWhole(g.filters));
    const bool toData = pass == FftPass::BackwardData;
    const double tiles = static_cast<double>(batch * (toData ? plan.backwardTiles() : plan.forwardTiles()));

    const double products = 3 * static_cast<double>(fftBins(plan.tile)) * inputs * outputs * tiles;

    // Forward: x and y; weights: x and dy; data: dy and dx. A tile is as many transforms as it has rows or columns.
    const double tileTransform = (plan.tile + 1) * kTransformOperations[static_cast<std::size_t>(plan.kernel)];
    const double transforms = tileTransform * tiles * (inputs + outputs);

    const double taps = static_cast<double>(plan.tapRows);
    const double perColumn = 2 * taps * static_cast<double>(plan.tapColumns) + (plan.tile - 1) / 2 * (4 * taps + 8);
    const double weights = inputs * outputs * fftColumns(plan.tile) * perColumn;
    return {products, transforms, weights};
}

double fftCost(const ConvolutionGeometry& g, const FftPlan& plan, std::int64_t batch) {
    double cost = 0;
    for (const FftPass pass : {FftPass::Forward, FftPass::BackwardWeights, FftPass::BackwardData}) {
        const FftOperations operations = fftOperations(g, plan, batch, pass);
        cost += operations.products / kProductRate + operations.transforms / kTransformRate +
                operations.weights / kWeightRate;
    }
    return cost;
}

} // namespace halfstep::backend::cpu
