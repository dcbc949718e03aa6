#pragma once
#include "engine/backend/cuda/driver/driver_api.h"
#include "engine/tensor/error.h"
#include <memory>
#include <string>
#include <string_view>

namespace halfstep::backend::cuda {

/// The NVIDIA driver of this machine, opened and initialized.
class Driver {
public:
    /// Throws BackendError with a sentence that says what is missing (driver, a newer driver, a card) and how to get
    /// it. `library` is a name for dlopen.
    static std::shared_ptr<const Driver> open(const std::string& library = "libcuda.so.1");

    const DriverApi& api() const { return m_api; }
    int version() const { return m_version; } ///< 13000 for CUDA 13.0
    int deviceCount() const { return m_devices; }

    /// Throws unless `result` is success: OutOfMemoryError where memory was refused, else BackendError. `operation`
    /// completes "CUDA could not ...".
    void check(CUresult result, std::string_view operation) const;
    /// "CUDA_ERROR_OUT_OF_MEMORY (out of memory)"
    std::string textOf(CUresult result) const;

    ~Driver();
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;

private:
    Driver() = default;

    void* m_library = nullptr;
    DriverApi m_api{};
    int m_version = 0;
    int m_devices = 0;
};

/// The oldest driver that can run the plug-in's kernels and the cuDNN it is built for: that of CUDA 12.0.
inline constexpr int kOldestDriver = 12000;

} // namespace halfstep::backend::cuda
