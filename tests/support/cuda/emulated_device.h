#pragma once
// What nvcc gives the files of kernels, for a C++ compiler: put before them by -include. A block runs at a time, its
// threads as fibers of one thread of the CPU (emulator.h), so that shared memory is simply static.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>

namespace halfstep::test::cuda {

struct Dim3 {
    unsigned x = 1, y = 1, z = 1;
};

/// Of the fiber that runs.
struct Whereabouts {
    Dim3 thread, block, blockSize, gridSize;
};
const Whereabouts& whereabouts();

void blockBarrier();
void warpBarrier();
/// Hands `bits` to the other threads of the warp, after all have come here; returns those of `lane`.
std::uint64_t exchangeInWarp(std::uint64_t bits, unsigned lane);
unsigned laneOfThread();
unsigned ballotOfWarp(bool vote);

using Launch = std::function<void(void** arguments)>;
bool registerKernel(const char* name, Launch launch);

template <typename... Parameters, std::size_t... Index>
Launch launchOf(void (*kernel)(Parameters...), std::index_sequence<Index...>) {
    return
        [kernel](void** arguments) { kernel(*static_cast<std::remove_cvref_t<Parameters>*>(arguments[Index])...); };
}
template <typename... Parameters>
Launch launchOf(void (*kernel)(Parameters...)) {
    return launchOf(kernel, std::index_sequence_for<Parameters...>{});
}

} // namespace halfstep::test::cuda

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)
#define threadIdx (halfstep::test::cuda::whereabouts().thread)
#define blockIdx (halfstep::test::cuda::whereabouts().block)
#define blockDim (halfstep::test::cuda::whereabouts().blockSize)
#define gridDim (halfstep::test::cuda::whereabouts().gridSize)
#define warpSize 32

#define HALFSTEP_KERNEL static void
#define HALFSTEP_EXPORT(name)                                                                                        \
    [[maybe_unused]] static const bool name##_is_known =                                                             \
        halfstep::test::cuda::registerKernel(#name, halfstep::test::cuda::launchOf(&name));

inline void __syncthreads() {
    halfstep::test::cuda::blockBarrier();
}
inline void __syncwarp(unsigned = 0xffffffffU) {
    halfstep::test::cuda::warpBarrier();
}
inline unsigned __ballot_sync(unsigned, int vote) {
    return halfstep::test::cuda::ballotOfWarp(vote != 0);
}

namespace halfstep::test::cuda {
template <typename T>
T shuffled(T value, unsigned lane) {
    static_assert(sizeof(T) <= 8);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    bits = exchangeInWarp(bits, lane);
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}
} // namespace halfstep::test::cuda

// Lanes outside the warp keep their own value, as on a card.
template <typename T>
T __shfl_down_sync(unsigned, T value, unsigned delta) {
    const unsigned lane = halfstep::test::cuda::laneOfThread();
    return halfstep::test::cuda::shuffled(value, lane + delta < 32 ? lane + delta : lane);
}
template <typename T>
T __shfl_xor_sync(unsigned, T value, int mask) {
    return halfstep::test::cuda::shuffled(value, halfstep::test::cuda::laneOfThread() ^ static_cast<unsigned>(mask));
}
template <typename T>
T __shfl_sync(unsigned, T value, int lane) {
    return halfstep::test::cuda::shuffled(value, static_cast<unsigned>(lane) % 32);
}

template <typename T>
T atomicAdd(T* address, T value) {
    const T old = *address;
    *address = old + value;
    return old;
}
template <typename T>
T atomicMax(T* address, T value) {
    const T old = *address;
    *address = std::max(old, value);
    return old;
}
template <typename T>
T atomicOr(T* address, T value) {
    const T old = *address;
    *address = old | value;
    return old;
}
template <typename T>
T atomicExch(T* address, T value) {
    const T old = *address;
    *address = value;
    return old;
}
inline void __threadfence() {}

inline float __fmaf_rn(float a, float b, float c) {
    return std::fmaf(a, b, c);
}
inline float __fsqrt_rn(float x) {
    return std::sqrt(x);
}
inline float __fdiv_rn(float a, float b) {
    return a / b;
}
inline unsigned __float_as_uint(float x) {
    return std::bit_cast<unsigned>(x);
}
inline float __uint_as_float(unsigned x) {
    return std::bit_cast<float>(x);
}
using std::max;
using std::min;

struct uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
