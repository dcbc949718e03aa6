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

} // namespace

std::shared_ptr<std::byte> MemoryLedger::allocate(std::size_t bytes, std::string_view purpose) const {
    const bool huge = bytes >= 2 * kHugePage;
    const std::size_t alignment = huge ? kHugePage : 64;
    const std::size_t size = (bytes + alignment - 1) / alignment * alignment;

    const std::uint64_t held = m_books.enter(size, purpose);
    // What is only counted gets a place of its own all the same: tensors are told apart by it.
    const bool given = m_memory == Memory::Given;
    void* memory = given ? std::aligned_alloc(alignment, std::max(size, alignment)) : std::aligned_alloc(64, 64);
    if (memory == nullptr) {
        m_books.strike(size);
        throw OutOfMemoryError(fmt::format("{} wants {}, which the system does not give; {} are held already",
                                           purpose, tensor::mebibytesText(size), tensor::mebibytesText(held - size)),
                               "Lower the batch size or the image size.");
    }
    if (huge && given) {
        madvise(memory, size, MADV_HUGEPAGE); // only a hint: without huge pages everything works, a little slower
    }
    if (given) {
        std::memset(memory, 0, std::max(size, alignment));
    }

    m_books.confirm(held);
    return {static_cast<std::byte*>(memory), [books = m_books, size](std::byte* p) {
                std::free(p);
                books.strike(size);
            }};
}

} // namespace halfstep::backend::cpu
