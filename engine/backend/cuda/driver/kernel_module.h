#pragma once
#include "engine/backend/cuda/driver/context.h"
#include <array>
#include <memory>
#include <string>

namespace halfstep::backend::cuda {

/// How many threads run a kernel: blocks, and threads of a block, in up to three dimensions.
struct LaunchGeometry {
    std::array<unsigned, 3> grid{1, 1, 1};
    std::array<unsigned, 3> block{1, 1, 1};
};

/// Kernels that were compiled for several architectures into one image (a fatbin), loaded onto a card.
class KernelModule {
public:
    /// Throws BackendError if the image has no code for this card.
    KernelModule(std::shared_ptr<const Context> context, const void* image);
    ~KernelModule();
    KernelModule(const KernelModule&) = delete;
    KernelModule& operator=(const KernelModule&) = delete;

    /// A kernel by its name in the image, declared extern "C"; null if it is not there.
    CUfunction function(const char* name) const;

private:
    std::shared_ptr<const Context> m_context;
    CUmodule m_module = nullptr;
};

/// Puts a launch into the context's stream. The arguments must have exactly the kernel's parameter types, in their
/// order: the driver copies bytes.
void launchWith(const Context& context, CUfunction function, const LaunchGeometry& geometry, void** arguments);

template <typename... Arguments>
void launch(const Context& context, CUfunction function, const LaunchGeometry& geometry,
            const Arguments&... arguments) {
    std::array<void*, sizeof...(Arguments)> pointers{const_cast<void*>(static_cast<const void*>(&arguments))...};
    launchWith(context, function, geometry, pointers.data());
}

} // namespace halfstep::backend::cuda
