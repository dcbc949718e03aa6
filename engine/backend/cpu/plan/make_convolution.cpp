#include "engine/backend/cpu/plan/make_convolution.h"
#include "engine/backend/cpu/narrow/narrow_convolution.h"

namespace halfstep::backend::cpu {

std::unique_ptr<Convolution> makeConvolution(const ConvolutionMethod& method, ConvolutionGeometry geometry,
                                             std::int64_t batch, const MethodTools& tools) {
    if (method.kind == ConvolutionMethod::Kind::Fft) {
        return std::make_unique<FftConvolution>(geometry, fftPlanWithTile(geometry, method.tile).value(),
                                                FftTools{tools.pool, tools.kernels, tools.memory, tools.scratch.fft});
    }
    geometry.images = imagesAtATime(batch, geometry.outputHeight() * geometry.outputWidth());
    const ConvolutionTools direct{tools.pool, tools.kernels, tools.memory, tools.scratch.direct, tools.isa};
    if (method.kind == ConvolutionMethod::Kind::Narrow) {
        return std::make_unique<NarrowConvolution>(geometry, direct);
    }
    return std::make_unique<DirectConvolution>(geometry, direct);
}

} // namespace halfstep::backend::cpu
