#pragma once
#include "engine/tensor/tensor.h"
#include <string>
#include <vector>

namespace halfstep::backend {
class Backend;
}
namespace halfstep::nn {
class ConvNet;
}

namespace halfstep::train {

/// A float32 array with its name: a weight under Keras' name ("conv2d/kernel" [5, 5, 3, 32]), a gradient, a batch.
struct NamedArray {
    std::string name;
    tensor::Shape shape;
    std::vector<float> values;
};

/// A tensor of a device under the name that its array has in a file.
struct NamedTensor {
    std::string name;
    tensor::Tensor tensor;
};

/// All variables of the network, moving averages included.
std::vector<NamedTensor> variablesOf(nn::ConvNet& network);

/// Exact: every 16-bit number is a float32 number.
NamedArray download(backend::Backend& device, const NamedTensor& from);
std::vector<NamedArray> download(backend::Backend& device, const std::vector<NamedTensor>& from);

/// How arrays that come from outside are spoken of, and what they may hold.
struct ArrayUse {
    std::string subject;      ///< begins the sentence: "The weights in \"w.safetensors\""
    std::string advice;       ///< ends it: "choose weights of this network"
    bool mustBeFinite = true; ///< also after the rounding to the tensor's dtype
};

/// Throws DataError, one sentence that names the array, unless `arrays` hold exactly one array for each tensor, of
/// its shape and whole, in any order.
void requireFitting(const std::vector<NamedArray>& arrays, const std::vector<NamedTensor>& tensors,
                    const ArrayUse& use);

/// Checks as requireFitting does, then puts the arrays into the tensors, rounded to their dtypes.
void upload(backend::Backend& device, const std::vector<NamedArray>& arrays, const std::vector<NamedTensor>& to,
            const ArrayUse& use);

} // namespace halfstep::train
