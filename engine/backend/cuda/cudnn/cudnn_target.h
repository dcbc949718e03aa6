#pragma once
#include "engine/backend/cuda/cudnn/cudnn_descriptor.h"
#include <optional>

namespace halfstep::backend::cuda {

/// The card that plans are made for: a handle's, which can then execute them, or one that is only described.
class CudnnTarget {
public:
    CudnnTarget(std::shared_ptr<const CudnnLibrary> library, cudnnHandle_t handle)
        : m_library(std::move(library)),
          m_handle(handle) {}
    /// `properties` is cuDNN's JSON of a card. Throws BackendError where it is incomplete, or the library too old.
    static CudnnTarget described(const std::shared_ptr<const CudnnLibrary>& library, std::string_view properties);

    const std::shared_ptr<const CudnnLibrary>& library() const { return m_library; }
    cudnnHandle_t handle() const { return m_handle; } ///< null for a card that is only described
    /// Tells a descriptor what the card is, where a handle has not already.
    void setOn(Descriptor& descriptor, cudnnBackendAttributeName_t name) const {
        if (m_properties) {
            descriptor.set(name, *m_properties);
        }
    }

private:
    std::shared_ptr<const CudnnLibrary> m_library;
    cudnnHandle_t m_handle = nullptr;
    std::optional<Descriptor> m_properties;
};

} // namespace halfstep::backend::cuda
