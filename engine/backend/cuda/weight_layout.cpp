#include "engine/backend/cuda/weight_layout.h"
#include <algorithm>

namespace halfstep::backend::cuda {
namespace {

void transpose(KernelSet& kernels, tensor::DType dtype, const std::byte* x, std::int64_t rows, std::int64_t columns,
               const std::byte* y) {
    constexpr std::int64_t kMostBlocks = 65535;
    const std::int64_t tiles = ((rows + 31) / 32) * ((columns + 31) / 32);
    kernels.launch(
        "transpose", dtype,
        {.grid = {static_cast<unsigned>(std::clamp<std::int64_t>(tiles, 1, kMostBlocks)), 1, 1}, .block = {32, 8, 1}},
        devicePointer(x), rows, columns, devicePointer(y));
}

std::int64_t rowsOf(const tensor::Shape& w) {
    return w[0] * w[1] * w[2];
}

} // namespace

void kernelsToKrsc(KernelSet& kernels, const tensor::Tensor& w, const std::byte* krsc) {
    transpose(kernels, w.dtype, w.data.get(), rowsOf(w.shape), w.shape[3], krsc);
}

void kernelsFromKrsc(KernelSet& kernels, const std::byte* krsc, const tensor::Tensor& w) {
    transpose(kernels, w.dtype, krsc, w.shape[3], rowsOf(w.shape), w.data.get());
}

} // namespace halfstep::backend::cuda
