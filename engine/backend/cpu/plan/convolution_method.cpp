#include "engine/backend/cpu/plan/convolution_method.h"
#include "engine/backend/cpu/fft/fft_kernels.h"

namespace halfstep::backend::cpu {

std::string ConvolutionMethod::name() const {
    switch (kind) {
    case Kind::Narrow:
        return "narrow";
    case Kind::Fft:
        return "fft" + std::to_string(tile);
    case Kind::OneDnn:
        break;
    }
    return "onednn";
}

std::optional<ConvolutionMethod> ConvolutionMethod::named(std::string_view name) {
    for (const Kind kind : {Kind::Narrow, Kind::OneDnn}) {
        if (ConvolutionMethod{kind}.name() == name) {
            return ConvolutionMethod{kind};
        }
    }
    for (const int tile : kFftTiles) {
        if (ConvolutionMethod{Kind::Fft, tile}.name() == name) {
            return ConvolutionMethod{Kind::Fft, tile};
        }
    }
    return std::nullopt;
}

} // namespace halfstep::backend::cpu
