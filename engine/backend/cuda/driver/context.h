#pragma once
#include "engine/backend/cuda/driver/driver.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace halfstep::backend::cuda {

/// One card: its primary context, shared with cuDNN, and one stream that all work goes through in order.
///
/// A context belongs to threads: use() makes it the caller's before anything is asked of it.
class Context : public std::enable_shared_from_this<Context> {
public:
    /// Throws BackendError if the card does not exist or refuses.
    static std::shared_ptr<const Context> open(std::shared_ptr<const Driver> driver, int ordinal);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    void use() const;
    const Driver& driver() const { return *m_driver; }
    const DriverApi& api() const { return m_driver->api(); }
    CUstream stream() const { return m_stream; }

    const std::string& name() const { return m_name; }     ///< "NVIDIA H200"
    int computeCapability() const { return m_capability; } ///< 90 for 9.0
    int multiprocessors() const { return m_multiprocessors; }
    const std::string& pciBusId() const { return m_pciBusId; } ///< "0000:65:00.0"
    std::uint64_t totalBytes() const { return m_totalBytes; }
    std::uint64_t freeBytes() const;

    /// Memory of the card, not cleared, which keeps this alive. Throws OutOfMemoryError that says what `purpose`
    /// wanted and what is free.
    std::shared_ptr<std::byte> allocate(std::size_t bytes, std::string_view purpose) const;

    /// Blocks until the stream has done everything; errors of earlier launches show here.
    void synchronize() const;
    void check(CUresult result, std::string_view operation) const { m_driver->check(result, operation); }

private:
    Context(std::shared_ptr<const Driver> driver, int ordinal);

    std::shared_ptr<const Driver> m_driver;
    CUdevice m_device = 0;
    CUcontext m_context = nullptr;
    CUstream m_stream = nullptr;
    std::string m_name, m_pciBusId;
    int m_capability = 0;
    int m_multiprocessors = 0;
    std::uint64_t m_totalBytes = 0;
};

inline CUdeviceptr devicePointer(const void* memory) {
    return reinterpret_cast<CUdeviceptr>(memory);
}

} // namespace halfstep::backend::cuda
