#pragma once
#include "tests/support/convnet_case.h"
#include <map>
#include <string>

namespace halfstep::support {

/// One training step by PyTorch in float64 on a drawn case, from a file of tests/golden (safetensors); under a mixed
/// policy with that policy's roundings.
struct Golden {
    Arrays arrays;                            ///< "loss" [1], "logits", "gradient/<name>", "updated/<name>"
    std::map<std::string, std::string> about; ///< "seed", "batch", "size", "torch", ...
    ConvnetCase drawn;
    precision::Policy policy = precision::Policy::Float32;
    double lossScale = 1;

    bool holds(const std::string& name) const { return arrays.contains(name); }
    const Array& at(const std::string& name) const { return arrays.at(name); }

    /// The elements that the file keeps of a variable's array: all, or of a large one index 0, stride, 2 stride, ...
    /// The stride is prime and above 11, so that every row, column, channel and filter is among them.
    Array kept(const std::string& variable, const Array& array) const;
};

/// `name` is the file's without ".safetensors". Throws std::runtime_error naming the file if it cannot be read.
Golden readGolden(const std::string& name);

} // namespace halfstep::support
