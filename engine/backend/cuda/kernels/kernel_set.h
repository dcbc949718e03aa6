#pragma once
#include "engine/backend/cuda/driver/kernel_module.h"
#include "engine/tensor/dtype.h"
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep::backend::cuda {

/// Halfstep's own kernels on one card, found by name when they are first launched.
///
/// A kernel that works on tensors of a dtype h exists once for each: "halfstep_bias_relu_backward_float16".
class KernelSet {
public:
    /// `images` are fatbins. Throws BackendError if they have no code for this card.
    KernelSet(std::shared_ptr<const Context> context, const std::vector<const void*>& images);

    /// Launches "halfstep_<name>_<h>". The arguments must have exactly the kernel's parameter types, in their order;
    /// tensors are passed as devicePointer(tensor).
    template <typename... Arguments>
    void launch(const char* name, tensor::DType h, const LaunchGeometry& geometry, const Arguments&... arguments) {
        cuda::launch(*m_context, function(name, nameOf(h)), geometry, arguments...);
    }
    /// Launches "halfstep_<name>".
    template <typename... Arguments>
    void launch(const char* name, const LaunchGeometry& geometry, const Arguments&... arguments) {
        cuda::launch(*m_context, function(name, {}), geometry, arguments...);
    }

private:
    CUfunction function(std::string_view name, std::string_view suffix);

    std::shared_ptr<const Context> m_context;
    std::deque<KernelModule> m_modules;
    std::map<std::pair<std::string_view, std::string_view>, CUfunction> m_functions; ///< keys are literals
};

} // namespace halfstep::backend::cuda
