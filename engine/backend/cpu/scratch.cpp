#include "engine/backend/cpu/scratch.h"

namespace halfstep::backend::cpu {

float* Scratch::floats(const MemoryLedger& memory, std::size_t count) {
    if (count > m_count) {
        m_count = 0;
        m_memory.reset();
        m_memory = memory.allocate(count * sizeof(float), "the scratch memory of a convolution");
        m_count = count;
    }
    return reinterpret_cast<float*>(m_memory.get());
}

} // namespace halfstep::backend::cpu
