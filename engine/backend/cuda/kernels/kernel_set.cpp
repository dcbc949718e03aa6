#include "engine/backend/cuda/kernels/kernel_set.h"
#include <fmt/format.h>

namespace halfstep::backend::cuda {

KernelSet::KernelSet(std::shared_ptr<const Context> context, const std::vector<const void*>& images)
    : m_context(std::move(context)) {
    for (const void* image : images) {
        m_modules.emplace_back(m_context, image);
    }
}

CUfunction KernelSet::function(std::string_view name, std::string_view suffix) {
    const auto known = m_functions.find({name, suffix});
    if (known != m_functions.end()) {
        return known->second;
    }
    const std::string full = fmt::format("halfstep_{}{}{}", name, suffix.empty() ? "" : "_", suffix);
    for (const KernelModule& module : m_modules) {
        if (const CUfunction found = module.function(full.c_str()); found != nullptr) {
            m_functions.emplace(std::pair(name, suffix), found);
            return found;
        }
    }
    throw BackendError(fmt::format("Halfstep's CUDA plug-in has no kernel {}: it is damaged; build it anew.", full));
}

} // namespace halfstep::backend::cuda
