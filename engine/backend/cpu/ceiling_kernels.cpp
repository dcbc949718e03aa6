// Loops that do one thing as fast as the CPU can: multiply and add in registers, or pass over memory.
#include "engine/backend/cpu/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/ceiling_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/fft/unroll.h"
#include "engine/backend/cpu/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

/// Independent sums: two units of up to five cycles' latency stay busy, and with two factors they fit into the 16
/// registers of AVX2.
constexpr int kSums = 12;

double multiplyAdd(std::size_t rounds, float* result) {
    const F d;
    const VF factor = hn::Set(d, 0.5f), term = hn::Set(d, 0.25f); // towards 0.5: neither overflow nor subnormals
    VF sums[kSums];
    HALFSTEP_UNROLL
    for (int i = 0; i < kSums; ++i) {
        sums[i] = hn::Set(d, static_cast<float>(i));
    }
    for (std::size_t round = 0; round < rounds; ++round) {
        HALFSTEP_UNROLL
        for (int i = 0; i < kSums; ++i) {
            sums[i] = hn::MulAdd(sums[i], factor, term);
        }
    }
    for (int i = 1; i < kSums; ++i) {
        sums[0] = hn::Add(sums[0], sums[i]);
    }
    *result = hn::GetLane(hn::SumOfLanes(d, sums[0]));
    return 2.0 * kSums * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

float sum(const float* x, std::size_t n) {
    const F d;
    const std::size_t lanes = hn::Lanes(d);
    VF sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (std::size_t i = 0; i + 4 * lanes <= n; i += 4 * lanes) {
        HALFSTEP_UNROLL
        for (std::size_t j = 0; j < 4; ++j) {
            sums[j] = hn::Add(sums[j], hn::LoadU(d, x + i + j * lanes));
        }
    }
    return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]))));
}

void copy(const float* x, std::size_t n, float* y) {
    const F d;
    for (std::size_t i = 0; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        hn::StoreU(hn::LoadU(d, x + i), d, y + i);
    }
}

void triad(const float* x, const float* y, std::size_t n, float* z) {
    const F d;
    const VF factor = hn::Set(d, 3.0f);
    for (std::size_t i = 0; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        hn::StoreU(hn::MulAdd(factor, hn::LoadU(d, y + i), hn::LoadU(d, x + i)), d, z + i);
    }
}

void FillCeilings(Kernels& kernels) {
    kernels.ceilings = {&multiplyAdd, &sum, &copy, &triad};
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfstep::backend::cpu {
HWY_EXPORT(FillCeilings);
void fillCeilingKernels(Kernels& kernels) {
    HWY_DYNAMIC_DISPATCH(FillCeilings)(kernels);
}
} // namespace halfstep::backend::cpu
#endif
