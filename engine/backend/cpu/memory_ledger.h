#pragma once
#include "engine/tensor/memory_books.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace halfstep::backend::cpu {

/// Gives memory, counts it, and holds it below a limit. Copies share the books.
class MemoryLedger {
public:
    /// Counted: what is given is no memory and must not be touched, but it is counted as if it were.
    enum class Memory { Given, Counted };

    explicit MemoryLedger(std::optional<std::uint64_t> limitBytes, Memory memory = Memory::Given)
        : m_books(limitBytes),
          m_memory(memory) {}

    /// Zeroed bytes, aligned to 64 (to 2 MiB, and asked to lie on huge pages, from 4 MiB up). Throws OutOfMemoryError
    /// that says what `purpose` wanted and what is free.
    std::shared_ptr<std::byte> allocate(std::size_t bytes, std::string_view purpose) const;

    std::uint64_t peakBytes() const { return m_books.peakBytes(); }
    std::uint64_t heldBytes() const { return m_books.heldBytes(); }
    /// Bytes that the limit leaves; empty without a limit.
    std::optional<std::uint64_t> leftBytes() const { return m_books.leftBytes(); }

private:
    tensor::MemoryBooks m_books;
    Memory m_memory;
};

} // namespace halfstep::backend::cpu
