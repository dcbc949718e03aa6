#include "engine/precision/policy.h"

namespace halfstep::precision {
namespace {
using tensor::DType;
constexpr std::array kTraits{
    PolicyTraits{"float32", DType::Float32, DType::Float32, false, "32-bit storage, 32-bit sums"},
    PolicyTraits{"mixed_float16", DType::Float16, DType::Float32, true,
                 "16-bit storage, float32 weights, dynamic loss scaling"},
    PolicyTraits{"mixed_bfloat16", DType::BFloat16, DType::Float32, false,
                 "16-bit storage with float32's range, float32 weights"},
    PolicyTraits{"float16", DType::Float16, DType::Float16, false, "all in 16 bits: shows what goes wrong"},
    PolicyTraits{"bfloat16", DType::BFloat16, DType::BFloat16, false, "all in 16 bits: shows what goes wrong"},
};
static_assert(kTraits.size() == kPolicies.size());

} // namespace

const PolicyTraits& traitsOf(Policy policy) {
    return kTraits[static_cast<std::size_t>(policy)];
}

std::optional<Policy> policyNamed(std::string_view name) {
    for (const Policy policy : kPolicies) {
        if (traitsOf(policy).name == name) {
            return policy;
        }
    }
    return std::nullopt;
}

} // namespace halfstep::precision
