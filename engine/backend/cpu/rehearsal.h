#pragma once
#include "engine/backend/cpu/cpu_device.h"
#include "engine/backend/idle_verbs.h"
#include <cstdint>
#include <optional>

namespace halfstep::backend::cpu {

/// Backend::rehearsal() of CpuBackend. Only the verbs that take scratch memory do anything: the convolutions are the
/// real ones, on a team that leaves their work out and a ledger that counts.
class Rehearsal final : public IdleVerbs<CpuDevice> {
public:
    Rehearsal(const InstructionSet& set, const Kernels& kernels, int threads, const ConvolutionPlanner& planner)
        : IdleVerbs(set, kernels, MemoryLedger(std::nullopt, MemoryLedger::Memory::Counted), threads,
                    ThreadPool::Work::LeftOut, planner.withoutTrials()) {}

    std::uint64_t freeBytes() const override { return UINT64_MAX; }
};

} // namespace halfstep::backend::cpu
