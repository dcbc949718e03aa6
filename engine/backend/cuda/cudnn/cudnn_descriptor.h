#pragma once
#include "engine/backend/cuda/cudnn/cudnn_library.h"
#include <array>
#include <span>
#include <type_traits>

namespace halfstep::backend::cuda {

/// What cuDNN calls the C++ type of an attribute's value. Pointers are those to device memory.
template <typename T>
consteval cudnnBackendAttributeType_t attributeTypeOf() {
    if constexpr (std::is_same_v<T, std::int64_t>) {
        return CUDNN_TYPE_INT64;
    } else if constexpr (std::is_same_v<T, bool>) {
        return CUDNN_TYPE_BOOLEAN;
    } else if constexpr (std::is_same_v<T, float>) {
        return CUDNN_TYPE_FLOAT;
    } else if constexpr (std::is_same_v<T, double>) {
        return CUDNN_TYPE_DOUBLE;
    } else if constexpr (std::is_same_v<T, char>) {
        return CUDNN_TYPE_CHAR;
    } else if constexpr (std::is_same_v<T, void*>) {
        return CUDNN_TYPE_VOID_PTR;
    } else if constexpr (std::is_same_v<T, cudnnHandle_t>) {
        return CUDNN_TYPE_HANDLE;
    } else if constexpr (std::is_same_v<T, cudnnDataType_t>) {
        return CUDNN_TYPE_DATA_TYPE;
    } else if constexpr (std::is_same_v<T, cudnnConvolutionMode_t>) {
        return CUDNN_TYPE_CONVOLUTION_MODE;
    } else if constexpr (std::is_same_v<T, cudnnPointwiseMode_t>) {
        return CUDNN_TYPE_POINTWISE_MODE;
    } else if constexpr (std::is_same_v<T, cudnnBackendHeurMode_t>) {
        return CUDNN_TYPE_HEUR_MODE;
    } else if constexpr (std::is_same_v<T, cudnnBackendKnobType_t>) {
        return CUDNN_TYPE_KNOB_TYPE;
    } else if constexpr (std::is_same_v<T, cudnnBackendNumericalNote_t>) {
        return CUDNN_TYPE_NUMERICAL_NOTE;
    } else {
        static_assert(std::is_same_v<T, cudnnBackendBehaviorNote_t>);
        return CUDNN_TYPE_BEHAVIOR_NOTE;
    }
}

/// One of cuDNN's opaque objects: made, given attributes, finalized, used.
class Descriptor {
public:
    Descriptor(std::shared_ptr<const CudnnLibrary> library, cudnnBackendDescriptorType_t type);
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor();

    cudnnBackendDescriptor_t get() const { return m_descriptor; }
    const std::shared_ptr<const CudnnLibrary>& library() const { return m_library; }

    /// Throws BackendError where cuDNN refuses the value, as finalize does with what `purpose` names ("a tensor").
    template <typename T>
    void set(cudnnBackendAttributeName_t name, std::span<const T> values) {
        setBytes(name, attributeTypeOf<T>(), static_cast<std::int64_t>(values.size()), values.data());
    }
    template <typename T>
    void set(cudnnBackendAttributeName_t name, const T& value) {
        setBytes(name, attributeTypeOf<T>(), 1, &value);
    }
    void set(cudnnBackendAttributeName_t name, const Descriptor& value);
    void setAll(cudnnBackendAttributeName_t name, const std::vector<cudnnBackendDescriptor_t>& values);
    void finalize(std::string_view purpose);
    /// False where cuDNN refuses.
    bool tryFinalize();

    /// At most `most` values of an attribute of a finalized descriptor.
    template <typename T>
    std::vector<T> values(cudnnBackendAttributeName_t name, std::int64_t most) const {
        std::vector<T> found(static_cast<std::size_t>(most));
        found.resize(static_cast<std::size_t>(getBytes(name, attributeTypeOf<T>(), most, found.data())));
        return found;
    }
    template <typename T>
    T value(cudnnBackendAttributeName_t name) const {
        T found{};
        getBytes(name, attributeTypeOf<T>(), 1, &found);
        return found;
    }
    /// At most `most` descriptors of a type, which an attribute holds.
    std::vector<Descriptor> descriptors(cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t type,
                                        std::int64_t most) const;

private:
    void setBytes(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
                  const void* values);
    std::int64_t getBytes(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t most,
                          void* values) const;

    std::shared_ptr<const CudnnLibrary> m_library;
    cudnnBackendDescriptor_t m_descriptor = nullptr;
};

} // namespace halfstep::backend::cuda
