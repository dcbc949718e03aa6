#pragma once
#include "engine/tensor/error.h"
#include <cstddef>
#include <cstdint>
#include <cudnn_graph.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep::backend::cuda {

/// The functions of cuDNN that Halfstep calls: its graph API alone.
struct CudnnApi {
    std::size_t (*getVersion)();
    const char* (*getErrorString)(cudnnStatus_t status);
    void (*getLastErrorString)(char* text, std::size_t size);
    cudnnStatus_t (*create)(cudnnHandle_t* handle);
    cudnnStatus_t (*destroy)(cudnnHandle_t handle);
    cudnnStatus_t (*setStream)(cudnnHandle_t handle, cudaStream_t stream);
    cudnnStatus_t (*createDescriptor)(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* descriptor);
    cudnnStatus_t (*destroyDescriptor)(cudnnBackendDescriptor_t descriptor);
    cudnnStatus_t (*setAttribute)(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                  cudnnBackendAttributeType_t type, std::int64_t count, const void* values);
    cudnnStatus_t (*getAttribute)(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                  cudnnBackendAttributeType_t type, std::int64_t wanted, std::int64_t* count,
                                  void* values);
    cudnnStatus_t (*finalize)(cudnnBackendDescriptor_t descriptor);
    cudnnStatus_t (*execute)(cudnnHandle_t handle, cudnnBackendDescriptor_t plan, cudnnBackendDescriptor_t tensors);
};

/// cuDNN 9 of this machine, opened at run time: it is not free software, and Halfstep is built and runs without it.
class CudnnLibrary {
public:
    /// Takes the first of `names` (for dlopen) that opens. Throws BackendError with a sentence that says what is
    /// missing and how to get it.
    static std::shared_ptr<const CudnnLibrary> open(const std::vector<std::string>& names = usualNames());
    /// The loader's own search, $CUDNN_PATH, the CUDA toolkit, and where pip puts the wheel for the system's Python.
    static std::vector<std::string> usualNames();

    const CudnnApi& api() const { return m_api; }
    int version() const { return m_version; } ///< 91900 for 9.19.0
    std::string versionText() const;          ///< "9.19.0"

    /// Throws unless `status` is success: OutOfMemoryError where memory was refused, else BackendError. `operation`
    /// completes "cuDNN could not ...".
    void check(cudnnStatus_t status, std::string_view operation) const;
    /// Throws BackendError where the library is older than `oldest`, which `what` needs: "planning without a card".
    void require(int oldest, std::string_view what) const;

    ~CudnnLibrary();
    CudnnLibrary(const CudnnLibrary&) = delete;
    CudnnLibrary& operator=(const CudnnLibrary&) = delete;

private:
    CudnnLibrary() = default;

    void* m_library = nullptr;
    CudnnApi m_api{};
    int m_version = 0;
};

inline constexpr int kOldestCudnn = 90000;
inline constexpr int kOldestCudnnWithoutCard = 90800; ///< that plans for a card described in JSON

} // namespace halfstep::backend::cuda
