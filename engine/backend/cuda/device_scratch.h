#pragma once
#include "engine/backend/cuda/device_memory.h"
#include <cstddef>
#include <memory>

namespace halfstep::backend::cuda {

/// Memory that verbs use and leave: one block for all, since they run one after the other in one stream. It grows to
/// what the hungriest has asked for.
class DeviceScratch {
public:
    /// `context` is null where nothing is computed and memory is only counted.
    DeviceScratch(std::shared_ptr<const Context> context, DeviceMemory memory)
        : m_context(std::move(context)),
          m_memory(std::move(memory)) {}

    /// At least `bytes`, valid until the next call, aligned to 256. Throws OutOfMemoryError; then nothing is held.
    std::byte* reserve(std::size_t bytes) {
        if (bytes > m_bytes) {
            if (m_context != nullptr) {
                m_context->synchronize(); // what runs may still use the old block
            }
            m_block = nullptr;
            m_bytes = 0;
            m_block = m_memory.allocate(bytes, "scratch memory");
            m_bytes = bytes;
        }
        return m_block.get();
    }

private:
    std::shared_ptr<const Context> m_context;
    DeviceMemory m_memory;
    std::shared_ptr<std::byte> m_block;
    std::size_t m_bytes = 0;
};

} // namespace halfstep::backend::cuda
