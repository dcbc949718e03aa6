#include "engine/backend/cuda/device_memory.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::backend::cuda {

DeviceMemory::DeviceMemory(std::shared_ptr<const Context> context, std::optional<std::uint64_t> limitBytes)
    : m_context(std::move(context)),
      m_limit(limitBytes) {}

std::shared_ptr<std::byte> DeviceMemory::allocate(std::size_t bytes, std::string_view purpose) const {
    const std::uint64_t held = m_books->held;
    if (m_limit && (bytes > *m_limit || held > *m_limit - bytes)) {
        throw OutOfMemoryError(fmt::format("{} wanted {} bytes, and {} of the memory limit of {} are free", purpose,
                                           bytes, *m_limit - std::min(*m_limit, held), *m_limit),
                               "Lower the batch size or the image size, or raise the limit.");
    }
    std::shared_ptr<std::byte> memory;
    if (m_context != nullptr) {
        memory = m_context->allocate(bytes, purpose);
    }
    m_books->held += bytes;
    m_books->peak = std::max<std::uint64_t>(m_books->peak, m_books->held);
    const auto giveBack = [books = m_books, bytes, memory](std::byte*) mutable {
        memory.reset();
        books->held -= bytes;
    };
    return {memory.get(), giveBack};
}

std::uint64_t DeviceMemory::freeBytes() const {
    const std::uint64_t ofCard = m_context != nullptr ? m_context->freeBytes() : UINT64_MAX;
    return m_limit ? std::min(ofCard, *m_limit - std::min<std::uint64_t>(*m_limit, m_books->held)) : ofCard;
}

} // namespace halfstep::backend::cuda
