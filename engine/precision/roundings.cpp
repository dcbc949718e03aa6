#include "engine/precision/roundings.h"

namespace halfstep::precision {
namespace {
using tensor::DType;

/// Which dtype of a policy a tensor is stored in.
enum class StoredAs { Compute, Variable, Float32 };

struct Row {
    std::string_view name;
    StoredAs stored;
    std::string_view where; ///< said where the store rounds
};

/// In the order of StepTensor. All arithmetic is float32, so a row says all by what it stores.
constexpr std::array kRows{
    Row{"variable (weight)", StoredAs::Variable, "after the optimizer's update"},
    Row{"weight copy of a convolution or dense layer", StoredAs::Compute,
        "from the variable, before the forward pass"},
    Row{"gamma and beta as batch normalization uses them", StoredAs::Float32, ""},
    Row{"input images", StoredAs::Compute, "once, after uint8 / 255"},
    Row{"convolution output", StoredAs::Compute, "once, after sum + bias and ReLU"},
    Row{"batch mean and variance", StoredAs::Float32, ""},
    Row{"batch normalization output", StoredAs::Compute, "once, after gamma (x - mean) / deviation + beta"},
    Row{"pooled output", StoredAs::Compute, "once, after the mean over height and width"},
    Row{"logits", StoredAs::Compute, "once, after sum + bias"},
    Row{"softmax and loss", StoredAs::Float32, ""},
    Row{"loss gradient", StoredAs::Compute, "once, after (p - y) / N x loss scale, where it enters the network"},
    Row{"gradient of an activation", StoredAs::Compute, "once, after the operation's sum"},
    Row{"gradient of a variable", StoredAs::Compute, "once, after the sum over the batch"},
    Row{"gradient divided by the loss scale", StoredAs::Variable, "once, after the division"},
    Row{"optimizer state (Adam's moments, epsilon)", StoredAs::Variable, "after each update"},
    Row{"moving mean and variance", StoredAs::Variable, "after each update"},
};
static_assert(kRows.size() == kStepTensors.size());

} // namespace

Rounding roundingOf(const PolicyTraits& policy, StepTensor tensor) {
    const Row& row = kRows[static_cast<std::size_t>(tensor)];
    DType stored = DType::Float32;
    if (row.stored == StoredAs::Compute) {
        stored = policy.computeDType;
    } else if (row.stored == StoredAs::Variable) {
        stored = policy.variableDType;
    }
    // A copy in the variable's own dtype is the variable itself.
    const bool copies = tensor == StepTensor::WeightCopy && stored == policy.variableDType;
    const bool rounded = stored != DType::Float32 && !copies;
    return {row.name, stored, DType::Float32, rounded, rounded ? row.where : "not rounded"};
}

} // namespace halfstep::precision
