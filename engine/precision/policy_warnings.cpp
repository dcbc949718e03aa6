#include "engine/precision/policy_warnings.h"
#include "engine/precision/number_format.h"
#include "engine/precision/round_to.h"
#include <cmath>
#include <fmt/format.h>

namespace halfstep::precision {
namespace {

/// What storing `epsilon` in the format of the variables makes of it.
std::string sentenceOnEpsilon(const PolicyTraits& traits, double smallest, double epsilon) {
    const double stored = static_cast<double>(roundTo(traits.variableDType, static_cast<float>(epsilon)));
    if (stored == 0) {
        return fmt::format("Adam's epsilon {:.3g} rounds to 0 in {} (smallest is {:.3g}): where the second moment is "
                           "0, nothing bounds the update.",
                           epsilon, traits.name, smallest);
    }
    return fmt::format("Adam's epsilon {:.3g} becomes {:.3g} in {} (smallest is {:.3g}).", epsilon, stored,
                       traits.name, smallest);
}

} // namespace

std::vector<std::string> warningsOf(Policy policy, const std::optional<AdamConstants>& adam) {
    const PolicyTraits& traits = traitsOf(policy);
    if (!hasNarrowVariables(traits)) {
        return {};
    }
    const bool isFloat16 = traits.variableDType == tensor::DType::Float16;
    const NumberFormat& format = isFloat16 ? kFloat16 : kBFloat16;
    const double smallest = std::ldexp(1.0, format.subnormalExponent());
    const double halfUlp =
        std::ldexp(1.0, -format.fractionBits - 2); // relative to a number just below a power of two
    std::vector<std::string> sentences;
    sentences.push_back(fmt::format("Weights are kept in 16 bits ({}): an update below {:.2g} of its weight is lost "
                                    "(half a unit in the last place); the run counts the share.",
                                    traits.name, halfUlp));
    if (isFloat16) {
        sentences.push_back(fmt::format("Without loss scaling, gradients up to {:.3g} become 0.", smallest / 2));
    }
    if (adam && isFloat16) {
        sentences.push_back(sentenceOnEpsilon(traits, smallest, adam->epsilon));
        // The second moment grows from 0 by (1 - beta2) g^2, and half of the smallest number rounds to 0.
        sentences.push_back(fmt::format("Adam's second moment stays 0 for gradients up to {:.2g}, whose updates then "
                                        "grow too large.",
                                        std::sqrt(smallest / 2 / (1 - adam->beta2))));
    }
    if (adam && 1 - adam->beta2 < halfUlp) {
        sentences.push_back(fmt::format("Adam's second moment never decays: {:.2g} of it is less than half a unit in "
                                        "its last place.",
                                        1 - adam->beta2));
    }
    return sentences;
}

} // namespace halfstep::precision
