#include "engine/backend/cpu/fft/spectra.h"

namespace halfstep::backend::cpu {

FftSpectra FftSpectra::layout(bool half, std::size_t bins, std::size_t count, std::size_t groups) {
    FftSpectra spectra{.half = half, .bins = bins, .count = count, .groups = groups};
    // An odd number of cache lines from row to row and from bin to bin: neighbours in a column share no set.
    const std::size_t elementsPerLine = 64 / spectra.elementBytes();
    const std::size_t rowLines = groups * kFftLine / elementsPerLine | 1;
    const std::size_t binLines = count * rowLines | 1;
    spectra.rowStride = rowLines * elementsPerLine;
    spectra.binStride = binLines * elementsPerLine;
    return spectra;
}

FftSpectra FftSpectra::in(void* memory) const {
    FftSpectra spectra = *this;
    spectra.data = static_cast<std::byte*>(memory);
    spectra.factors = half ? reinterpret_cast<float*>(spectra.data + valueBytes()) : nullptr;
    return spectra;
}

} // namespace halfstep::backend::cpu
