#pragma once
// What every file of kernels starts with. The files are CUDA for nvcc; for the tests a C++ compiler takes them as
// they are, with tests/support/cuda/emulated_device.h before them, and every thread of a block is a fiber on the CPU.
// For that to work kernels
//   - are declared by HALFSTEP_KERNEL, and named once more by HALFSTEP_EXPORT at the end of the file,
//   - use static shared memory only, and no cooperative groups,
//   - call __syncthreads and the shuffles with all threads that still run,
//   - size their grid by the arguments of the launch, never by a fixed one (grid-stride loops).
#include <cstdint>

#if defined(__CUDACC__)
#define HALFSTEP_KERNEL extern "C" __global__ void
#define HALFSTEP_EXPORT(name)
#endif

namespace halfstep::backend::cuda {

/// First index of a grid-stride loop, and its stride.
__device__ inline std::int64_t firstIndex() {
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t indexStride() {
    return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

} // namespace halfstep::backend::cuda
