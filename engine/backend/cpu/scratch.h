#pragma once
#include "engine/backend/cpu/memory_ledger.h"
#include <cstddef>
#include <memory>

namespace halfstep::backend::cpu {

/// Float32 memory that grows when asked for more and does not keep its content then.
class Scratch {
public:
    float* floats(const MemoryLedger& memory, std::size_t count);

private:
    std::shared_ptr<std::byte> m_memory;
    std::size_t m_count = 0;
};

} // namespace halfstep::backend::cpu
