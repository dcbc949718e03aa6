#include "engine/backend/cpu/kernels.h"
#include <hwy/highway.h>
#include <hwy/targets.h>
#include <mutex>

namespace halfstep::backend::cpu {
namespace {

/// Makes Highway's dispatch choose one target while it lives. Highway keeps that choice for the whole process, hence
/// the lock; nothing outside kernelsFor dispatches, the tables hold plain function pointers.
class ChosenTarget {
public:
    explicit ChosenTarget(std::int64_t target) : m_lock(s_mutex) { choose(target); }
    ~ChosenTarget() { choose(0); }
    ChosenTarget(const ChosenTarget&) = delete;
    ChosenTarget& operator=(const ChosenTarget&) = delete;

private:
    static void choose(std::int64_t target) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
    static inline std::mutex s_mutex;
    std::lock_guard<std::mutex> m_lock;
};

} // namespace

Kernels kernelsFor(const InstructionSet& set) {
    const ChosenTarget chosen(set.highwayTarget);
    Kernels kernels;
    fillConversionKernels(kernels);
    fillRowKernels(kernels);
    fillBatchNormKernels(kernels);
    fillFloatKernels(kernels);
    fillOptimizerKernels(kernels);
    fillExponentKernels(kernels);
    fillFftWindowKernels(kernels);
    fillFftWeightKernels(kernels);
    fillFftProductKernels(kernels);
    fillNarrowKernels(kernels);
    fillCeilingKernels(kernels);
    return kernels;
}

} // namespace halfstep::backend::cpu
