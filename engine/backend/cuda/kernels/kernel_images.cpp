#include "engine/backend/cuda/kernels/kernel_images.h"

// Made by halfstep_fatbin.
extern "C" {
extern const unsigned char halfstep_elements_image[];
extern const unsigned char halfstep_exponents_image[];
extern const unsigned char halfstep_optimizer_image[];
extern const unsigned char halfstep_weights_image[];
}

namespace halfstep::backend::cuda {

std::vector<const void*> kernelImages() {
    return {halfstep_elements_image, halfstep_exponents_image, halfstep_optimizer_image, halfstep_weights_image};
}

} // namespace halfstep::backend::cuda
