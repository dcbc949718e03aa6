#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace halfstep::values {

/// How the device did one pass of a convolution.
struct ConvolutionUse {
    std::string layer{};     ///< "conv2d_1"
    std::string pass{};      ///< "forward", "backward weights" or "backward data"
    std::string algorithm{}; ///< "FFT, 4 tiles of 35x35 an image"
    bool operator==(const ConvolutionUse&) const = default;
};

/// Where a run was made; kept with it, so that numbers can be compared.
struct Environment {
    std::string cpu{};             ///< model name
    int cores = 0;                 ///< that the process may use
    int threads = 0;               ///< that the run used
    std::string isa{};             ///< that the kernels ran on: "avx2"
    std::string device{};          ///< "cpu"
    std::string operatingSystem{}; ///< "Debian GNU/Linux 12 (bookworm), Linux 6.1"
    std::string compiler{};        ///< "g++ 12.2.0, Release"
    std::string halfstepVersion{};
    std::string oneDnnVersion{};
    std::string openCvVersion{};
    std::string dataFingerprint{};              ///< hash of the pictures that were used
    std::int64_t validationPictures = 0;        ///< that each epoch was validated on; 0 for runs of older versions
    std::vector<ConvolutionUse> convolutions{}; ///< of the training step; empty for runs of older versions
    bool operator==(const Environment&) const = default;
};

} // namespace halfstep::values
