#pragma once
#include "engine/backend/cuda/cudnn/cudnn_target.h"
#include <gtest/gtest.h>

namespace halfstep::support {

/// The real cuDNN of this machine, or null.
std::shared_ptr<const backend::cuda::CudnnLibrary> installedCudnn();

struct DescribedCard {
    std::string name;
    int computeCapability = 0; ///< 90 for 9.0
    std::string properties;    ///< cuDNN's JSON
};
inline void PrintTo(const DescribedCard& card, std::ostream* stream) {
    *stream << card.name;
}

/// From the data sheets: T4, A100, RTX 4090, H100, H200, B200.
std::vector<DescribedCard> describedCards();

} // namespace halfstep::support

/// Skips a test where cuDNN is not installed.
#define HALFSTEP_NEEDS_CUDNN()                                                                                       \
    if (halfstep::support::installedCudnn() == nullptr) {                                                            \
        GTEST_SKIP() << "cuDNN 9 is not installed here; set CUDNN_PATH to test with it.";                            \
    }                                                                                                                \
    static_assert(true)
