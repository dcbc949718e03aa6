#include "engine/backend/cuda/cudnn/cudnn_descriptor.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace halfstep::backend::cuda {

Descriptor::Descriptor(std::shared_ptr<const CudnnLibrary> library, cudnnBackendDescriptorType_t type)
    : m_library(std::move(library)) {
    m_library->check(m_library->api().createDescriptor(type, &m_descriptor), "make a descriptor");
}

Descriptor::Descriptor(Descriptor&& other) noexcept
    : m_library(other.m_library),
      m_descriptor(std::exchange(other.m_descriptor, nullptr)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(m_library, other.m_library);
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

Descriptor::~Descriptor() {
    if (m_descriptor != nullptr) {
        m_library->api().destroyDescriptor(m_descriptor);
    }
}

void Descriptor::set(cudnnBackendAttributeName_t name, const Descriptor& value) {
    setBytes(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value.m_descriptor);
}

void Descriptor::setAll(cudnnBackendAttributeName_t name, const std::vector<cudnnBackendDescriptor_t>& values) {
    setBytes(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, static_cast<std::int64_t>(values.size()), values.data());
}

void Descriptor::finalize(std::string_view purpose) {
    m_library->check(m_library->api().finalize(m_descriptor), fmt::format("prepare {}", purpose));
}

bool Descriptor::tryFinalize() {
    return m_library->api().finalize(m_descriptor) == CUDNN_STATUS_SUCCESS;
}

void Descriptor::setBytes(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
                          const void* values) {
    m_library->check(m_library->api().setAttribute(m_descriptor, name, type, count, values),
                     fmt::format("take attribute {}", static_cast<int>(name)));
}

std::int64_t Descriptor::getBytes(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                                  std::int64_t most, void* values) const {
    std::int64_t count = 0;
    m_library->check(m_library->api().getAttribute(m_descriptor, name, type, most, &count, values),
                     fmt::format("tell attribute {}", static_cast<int>(name)));
    return std::min(count, most);
}

std::vector<Descriptor> Descriptor::descriptors(cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t type,
                                                std::int64_t most) const {
    std::vector<Descriptor> found;
    std::vector<cudnnBackendDescriptor_t> pointers;
    for (std::int64_t i = 0; i < most; ++i) {
        pointers.push_back(found.emplace_back(m_library, type).get());
    }
    const std::int64_t count = getBytes(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, most, pointers.data());
    found.erase(found.begin() + count, found.end());
    return found;
}

} // namespace halfstep::backend::cuda
