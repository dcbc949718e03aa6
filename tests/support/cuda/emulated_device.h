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
/// Hands `bits` to the other threads of the warp, after all have come here; returns those of `lane`.
std::uint64_t exchangeInWarp(std::uint64_t bits, unsigned lane);
unsigned laneOfThread();

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

#define HALFSTEP_KERNEL static void
#define HALFSTEP_EXPORT(name)                                                                                        \
    [[maybe_unused]] static const bool name##_is_known =                                                             \
        halfstep::test::cuda::registerKernel(#name, halfstep::test::cuda::launchOf(&name));

inline void __syncthreads() {
    halfstep::test::cuda::blockBarrier();
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
/// Threads run one at a time.
template <typename T, typename Change>
T changed(T* address, Change change) {
    const T old = *address;
    *address = change(old);
    return old;
}
template <typename T>
T atomicAdd(T* address, T value) {
    return changed(address, [value](T old) { return old + value; });
}
template <typename T>
T atomicMax(T* address, T value) {
    return changed(address, [value](T old) { return std::max(old, value); });
}
template <typename T>
T atomicOr(T* address, T value) {
    return changed(address, [value](T old) { return old | value; });
}

inline float __fsqrt_rn(float x) {
    return std::sqrt(x);
}
inline unsigned __float_as_uint(float x) {
    return std::bit_cast<unsigned>(x);
}
inline float __uint_as_float(unsigned x) {
    return std::bit_cast<float>(x);
}
using std::max;
