// The verbs of CudaBackend that look at each element by itself.
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/scratch_sizes.h"
#include <bit>

namespace halfstep::backend::cuda {

void CudaBackend::castElements(DType from, const std::byte* x, DType to, const std::byte* y, std::int64_t n) {
    const char* name = from == DType::Float32   ? "cast_from_float32"
                       : from == DType::Float16 ? "cast_from_float16"
                                                : "cast_from_bfloat16";
    m_kernels.launch(name, to, forElements(n), devicePointer(x), devicePointer(y), n);
}

void CudaBackend::cast(const Tensor& x, const Tensor& y) {
    castElements(x.dtype, x.data.get(), y.dtype, y.data.get(), x.count());
}

void CudaBackend::upload(std::span<const float> values, const Tensor& to) {
    if (to.dtype == DType::Float32) {
        toDevice(values.data(), to.bytes(), to.data.get());
        return;
    }
    const std::byte* scratch = m_scratch.reserve(transferScratchBytes(to));
    toDevice(values.data(), transferScratchBytes(to), scratch);
    castElements(DType::Float32, scratch, to.dtype, to.data.get(), to.count());
}

void CudaBackend::download(const Tensor& from, std::span<float> values) {
    if (from.dtype == DType::Float32) {
        toHost(from.data.get(), from.bytes(), values.data());
        return;
    }
    const std::byte* scratch = m_scratch.reserve(transferScratchBytes(from));
    castElements(from.dtype, from.data.get(), DType::Float32, scratch, from.count());
    toHost(scratch, transferScratchBytes(from), values.data());
}

void CudaBackend::normalizeImages(std::span<const std::uint8_t> images, const Tensor& y) {
    const std::byte* scratch = m_scratch.reserve(imageScratchBytes(y));
    toDevice(images.data(), imageScratchBytes(y), scratch);
    m_kernels.launch("normalize_images", y.dtype, forElements((y.count() + 3) / 4), devicePointer(scratch),
                     devicePointer(y.data.get()), y.count());
}

tensor::ExponentHistogram CudaBackend::exponents(const Tensor& x) {
    const std::byte* scratch = clearedScratch(kExponentScratchBytes);
    m_kernels.launch("exponents", x.dtype, forElements(x.count()), devicePointer(x.data.get()), x.count(),
                     devicePointer(scratch));
    ExponentBins bins{};
    toHost(scratch, sizeof bins, &bins);
    tensor::ExponentHistogram histogram;
    const auto count = [&bins](int bin) { return static_cast<std::int64_t>(bins.of[bin]); };
    histogram.zeros = count(0);
    histogram.nans = count(ExponentBins::kNans);
    histogram.infinities = count(ExponentBins::kInfinities);
    for (int field = 1; field < ExponentBins::kInfinities; ++field) {
        histogram.at(field - 127) = count(field);
    }
    for (int bit = 0; bit < 23; ++bit) {
        histogram.at(bit - 149) = count(ExponentBins::kSubnormals + bit);
    }
    histogram.largest = std::bit_cast<float>(static_cast<std::uint32_t>(bins.of[ExponentBins::kLargest]));
    return histogram;
}

} // namespace halfstep::backend::cuda
