#pragma once
#include "engine/backend/cuda/driver/context.h"
#include <atomic>
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
    DeviceMemory(std::shared_ptr<const Context> context, std::optional<std::uint64_t> limitBytes);

    /// Bytes that are not cleared, aligned to 256. Throws OutOfMemoryError that says what `purpose` wanted and what
    /// is free.
    std::shared_ptr<std::byte> allocate(std::size_t bytes, std::string_view purpose) const;

    std::uint64_t peakBytes() const { return m_books->peak; }
    std::uint64_t heldBytes() const { return m_books->held; }
    /// Below the limit, and of the card.
    std::uint64_t freeBytes() const;

private:
    struct Books {
        std::atomic<std::uint64_t> held = 0;
        std::atomic<std::uint64_t> peak = 0;
    };
    std::shared_ptr<const Context> m_context;
    std::optional<std::uint64_t> m_limit;
    std::shared_ptr<Books> m_books = std::make_shared<Books>();
};

} // namespace halfstep::backend::cuda
