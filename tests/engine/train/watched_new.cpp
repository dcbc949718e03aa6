// Replaces the process's `operator new`, so it belongs into programs of their own.
#include "tests/engine/train/watched_new.h"
#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<halfstep::tests::AllocationWatch> watch = nullptr;

void* given(std::size_t bytes, std::size_t alignment) {
    void* memory = nullptr;
    const halfstep::tests::AllocationWatch asked = watch;
    if (asked == nullptr || asked()) {
        memory = alignment == 0 ? std::malloc(bytes == 0 ? 1 : bytes)
                                : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    }
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

} // namespace

void halfstep::tests::watchAllocations(AllocationWatch asked) {
    watch = asked;
}

// The array forms and those that do not throw end up in these.
void* operator new(std::size_t bytes) {
    return given(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return given(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
