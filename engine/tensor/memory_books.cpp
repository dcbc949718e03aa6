#include "engine/tensor/memory_books.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::tensor {

std::string mebibytesText(std::uint64_t bytes) {
    return bytes < 1 << 20 ? fmt::format("{} bytes", bytes)
                           : fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

std::uint64_t MemoryBooks::enter(std::uint64_t bytes, std::string_view purpose) const {
    const std::uint64_t held = m_count->held += bytes;
    const std::optional<std::uint64_t>& limit = m_count->limit;
    if (limit && held > *limit) {
        strike(bytes);
        throw OutOfMemoryError(fmt::format("{} wants {}, but of the limit of {} only {} are free", purpose,
                                           mebibytesText(bytes), mebibytesText(*limit),
                                           mebibytesText(*limit - std::min(*limit, held - bytes))),
                               "Lower the batch size or the image size, or raise the limit.");
    }
    return held;
}

void MemoryBooks::confirm(std::uint64_t held) const {
    std::uint64_t peak = m_count->peak;
    while (held > peak && !m_count->peak.compare_exchange_weak(peak, held)) {
    }
}

std::optional<std::uint64_t> MemoryBooks::leftBytes() const {
    if (!m_count->limit) {
        return std::nullopt;
    }
    return *m_count->limit - std::min<std::uint64_t>(*m_count->limit, m_count->held);
}

} // namespace halfstep::tensor
