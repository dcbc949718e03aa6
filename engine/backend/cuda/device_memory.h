#pragma once
#include "engine/backend/cuda/driver/context.h"
#include "engine/tensor/memory_books.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace halfstep::backend::cuda {

/// Gives memory of a card, counts it, and holds it below a limit (which plays a smaller card). Copies share the
/// books.
class DeviceMemory {
public:
    /// Without a context what is given is no memory and must not be touched, but it is counted as if it were.
    DeviceMemory(std::shared_ptr<const Context> context, std::optional<std::uint64_t> limitBytes)
        : m_context(std::move(context)),
          m_books(limitBytes) {}

    /// Bytes that are not cleared, aligned to 256. Throws OutOfMemoryError that says what `purpose` wants and what is
    /// free.
    std::shared_ptr<std::byte> allocate(std::size_t bytes, std::string_view purpose) const;

    std::uint64_t peakBytes() const { return m_books.peakBytes(); }
    std::uint64_t heldBytes() const { return m_books.heldBytes(); }
    /// Below the limit, and of the card.
    std::uint64_t freeBytes() const;

private:
    std::shared_ptr<const Context> m_context;
    tensor::MemoryBooks m_books;
};

} // namespace halfstep::backend::cuda
