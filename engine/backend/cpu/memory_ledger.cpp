#include "engine/backend/cpu/memory_ledger.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>

namespace halfstep::backend::cpu {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::string mebibytes(std::uint64_t bytes) {
    return bytes < 1 << 20 ? fmt::format("{} bytes", bytes)
                           : fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

} // namespace

MemoryLedger::MemoryLedger(std::optional<std::uint64_t> limitBytes, Memory memory)
    : m_books(std::make_shared<Books>()) {
    m_books->limit = limitBytes;
    m_books->memory = memory;
}

std::shared_ptr<std::byte> MemoryLedger::allocate(std::size_t bytes, std::string_view purpose) const {
    const bool huge = bytes >= 2 * kHugePage;
    const std::size_t alignment = huge ? kHugePage : 64;
    const std::size_t size = (bytes + alignment - 1) / alignment * alignment;

    const std::uint64_t held = m_books->held += size;
    if (m_books->limit && held > *m_books->limit) {
        m_books->held -= size;
        throw OutOfMemoryError(fmt::format("{} wants {}, but of the limit of {} only {} are free", purpose,
                                           mebibytes(size), mebibytes(*m_books->limit),
                                           mebibytes(*m_books->limit - std::min(*m_books->limit, held - size))),
                               "Lower the batch size or the image size, or raise the limit.");
    }
    // What is only counted gets a place of its own all the same: tensors are told apart by it.
    const bool given = m_books->memory == Memory::Given;
    void* memory = given ? std::aligned_alloc(alignment, std::max(size, alignment)) : std::aligned_alloc(64, 64);
    if (memory == nullptr) {
        m_books->held -= size;
        throw OutOfMemoryError(fmt::format("{} wants {}, which the system does not give; {} are held already",
                                           purpose, mebibytes(size), mebibytes(held - size)),
                               "Lower the batch size or the image size.");
    }
    if (huge && given) {
        madvise(memory, size, MADV_HUGEPAGE); // only a hint: without huge pages everything works, a little slower
    }
    if (given) {
        std::memset(memory, 0, std::max(size, alignment));
    }

    std::uint64_t peak = m_books->peak;
    while (held > peak && !m_books->peak.compare_exchange_weak(peak, held)) {
    }
    return {static_cast<std::byte*>(memory), [books = m_books, size](std::byte* p) {
                std::free(p);
                books->held -= size;
            }};
}

std::uint64_t MemoryLedger::peakBytes() const {
    return m_books->peak;
}

std::uint64_t MemoryLedger::heldBytes() const {
    return m_books->held;
}

std::optional<std::uint64_t> MemoryLedger::leftBytes() const {
    if (!m_books->limit) {
        return std::nullopt;
    }
    return *m_books->limit - std::min<std::uint64_t>(*m_books->limit, m_books->held);
}

} // namespace halfstep::backend::cpu
