#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace halfstep::tensor {

/// Counts the bytes that a device's tensors and scratch hold, and holds them below a limit. Copies share the count.
class MemoryBooks {
public:
    explicit MemoryBooks(std::optional<std::uint64_t> limitBytes) : m_count(std::make_shared<Count>(limitBytes)) {}

    /// Enters bytes before they are asked for; returns what is held with them. Throws OutOfMemoryError, and enters
    /// nothing, where the limit does not leave them: it says what `purpose` wants and what is free.
    std::uint64_t enter(std::uint64_t bytes, std::string_view purpose) const;
    /// What enter() returned was really had: the peak may be that.
    void confirm(std::uint64_t held) const;
    void strike(std::uint64_t bytes) const { m_count->held -= bytes; }

    std::uint64_t peakBytes() const { return m_count->peak; }
    std::uint64_t heldBytes() const { return m_count->held; }
    /// Bytes that the limit leaves; empty without a limit.
    std::optional<std::uint64_t> leftBytes() const;

private:
    struct Count {
        explicit Count(std::optional<std::uint64_t> limitBytes) : limit(limitBytes) {}
        std::atomic<std::uint64_t> held = 0;
        std::atomic<std::uint64_t> peak = 0;
        std::optional<std::uint64_t> limit;
    };
    std::shared_ptr<Count> m_count;
};

/// "512 bytes", "31.2 MiB"
std::string mebibytesText(std::uint64_t bytes);

} // namespace halfstep::tensor
