#include "engine/backend/cuda/driver/kernel_module.h"
#include <fmt/format.h>

namespace halfstep::backend::cuda {

KernelModule::KernelModule(std::shared_ptr<const Context> context, const void* image)
    : m_context(std::move(context)) {
    m_context->use();
    const CUresult result = m_context->api().moduleLoadData(&m_module, image);
    if (result == CUDA_ERROR_NO_BINARY_FOR_GPU || result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
        throw BackendError(fmt::format("Halfstep's kernels were not compiled for {} (compute capability {}.{}). "
                                       "Build Halfstep with a CUDA toolkit "
                                       "that knows this card, or train on the CPU.",
                                       m_context->name(), m_context->computeCapability() / 10,
                                       m_context->computeCapability() % 10));
    }
    m_context->check(result, "load Halfstep's kernels");
}

KernelModule::~KernelModule() {
    try {
        m_context->use();
        m_context->api().moduleUnload(m_module);
    } catch (const BackendError&) { // the card is gone, and the module with it
    }
}

CUfunction KernelModule::function(const char* name) const {
    m_context->use();
    CUfunction function = nullptr;
    const CUresult result = m_context->api().moduleGetFunction(&function, m_module, name);
    if (result == CUDA_ERROR_NOT_FOUND) {
        return nullptr;
    }
    m_context->check(result, fmt::format("load the kernel {}", name));
    return function;
}

void launchWith(const Context& context, CUfunction function, const LaunchGeometry& geometry, void** arguments) {
    context.use();
    context.check(context.api().launchKernel(function, geometry.grid[0], geometry.grid[1], geometry.grid[2],
                                             geometry.block[0], geometry.block[1], geometry.block[2], 0,
                                             context.stream(), arguments, nullptr),
                  "launch a kernel");
}

} // namespace halfstep::backend::cuda
