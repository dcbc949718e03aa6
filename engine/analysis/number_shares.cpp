#include "engine/analysis/number_shares.h"

namespace halfstep::analysis {

NumberShares sharesIn(const values::TensorNumerics& tensor, const precision::NumberFormat& format,
                      int scaleExponent) {
    using tensor::ExponentHistogram;
    const ExponentHistogram& histogram = tensor.histogram;
    std::int64_t underflow = 0, subnormal = 0, normal = 0, overflow = 0;
    for (int e = ExponentHistogram::kLowest; e <= ExponentHistogram::kHighest; ++e) {
        const int exponent = e + scaleExponent;
        const std::int64_t count = histogram.at(e);
        if (exponent < format.subnormalExponent() - 1) { // less than half of the smallest number
            underflow += count;
        } else if (exponent < format.lowestExponent) {
            subnormal += count;
        } else if (exponent <= format.highestExponent) {
            normal += count;
        } else {
            overflow += count;
        }
    }
    const double elements = tensor.elements > 0 ? static_cast<double>(tensor.elements) : 1.0;
    const auto share = [elements](std::int64_t count) { return static_cast<double>(count) / elements; };
    return {.zero = share(histogram.zeros + underflow),
            .subnormal = share(subnormal),
            .normal = share(normal),
            .nonFinite = share(histogram.nonFinite() + overflow),
            .underflow = share(underflow),
            .overflow = share(overflow)};
}

} // namespace halfstep::analysis
