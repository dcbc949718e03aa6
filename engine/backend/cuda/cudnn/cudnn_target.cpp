#include "engine/backend/cuda/cudnn/cudnn_target.h"

namespace halfstep::backend::cuda {

CudnnTarget CudnnTarget::described(const std::shared_ptr<const CudnnLibrary>& library, std::string_view properties) {
    library->require(kOldestCudnnWithoutCard, "planning for a card that is not here");
    CudnnTarget target(library, nullptr);
    target.m_properties.emplace(library, CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
    target.m_properties->set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION,
                             std::span<const char>(properties.data(), properties.size()));
    target.m_properties->finalize("the description of a card");
    return target;
}

} // namespace halfstep::backend::cuda
