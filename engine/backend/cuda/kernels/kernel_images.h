#pragma once
#include <vector>

namespace halfstep::backend::cuda {

/// The plug-in's own kernels as it carries them: a fatbin for each file of kernels.
std::vector<const void*> kernelImages();

} // namespace halfstep::backend::cuda
