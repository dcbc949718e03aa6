#include "engine/backend/cuda/kernels/kernel_images.h"

// Made by halfstep_fatbin.
extern "C" {
extern const unsigned char halfstep_elements_image[];
}

namespace halfstep::backend::cuda {

std::vector<const void*> kernelImages() {
    return {halfstep_elements_image};
}

} // namespace halfstep::backend::cuda
