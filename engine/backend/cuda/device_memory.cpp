#include "engine/backend/cuda/device_memory.h"
#include <algorithm>

namespace halfstep::backend::cuda {

std::shared_ptr<std::byte> DeviceMemory::allocate(std::size_t bytes, std::string_view purpose) const {
    const std::uint64_t held = m_books.enter(bytes, purpose);
    std::shared_ptr<std::byte> memory;
    try {
        // What is only counted gets a place of its own all the same: tensors are told apart by it.
        memory = m_context != nullptr ? m_context->allocate(bytes, purpose) : std::make_shared<std::byte>();
    } catch (...) {
        m_books.strike(bytes);
        throw;
    }
    m_books.confirm(held);
    std::byte* const place = memory.get();
    return {place, [books = m_books, bytes, memory = std::move(memory)](std::byte*) mutable {
                memory.reset();
                books.strike(bytes);
            }};
}

std::uint64_t DeviceMemory::freeBytes() const {
    const std::uint64_t ofCard = m_context != nullptr ? m_context->freeBytes() : UINT64_MAX;
    return std::min(ofCard, m_books.leftBytes().value_or(UINT64_MAX));
}

} // namespace halfstep::backend::cuda
