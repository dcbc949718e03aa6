#pragma once
#include <atomic>
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

    explicit MemoryLedger(std::optional<std::uint64_t> limitBytes, Memory memory = Memory::Given);

    /// Zeroed bytes, aligned to 64 (to 2 MiB, and asked to lie on huge pages, from 4 MiB up). Throws OutOfMemoryError
    /// that says what `purpose` wanted and what is free.
    std::shared_ptr<std::byte> allocate(std::size_t bytes, std::string_view purpose) const;

    std::uint64_t peakBytes() const;
    std::uint64_t heldBytes() const;
    /// Bytes that the limit leaves; empty without a limit.
    std::optional<std::uint64_t> leftBytes() const;

private:
    struct Books {
        std::atomic<std::uint64_t> held = 0;
        std::atomic<std::uint64_t> peak = 0;
        std::optional<std::uint64_t> limit;
        Memory memory = Memory::Given;
    };
    std::shared_ptr<Books> m_books;
};

} // namespace halfstep::backend::cpu
