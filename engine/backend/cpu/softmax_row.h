#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace halfstep::backend::cpu {

/// Softmax and cross-entropy of one sample in float32, finite and accurate for all finite logits.
///
/// With the largest logit z_max, e_i = exp(z_i - z_max) <= 1 and r = the sum of all e_i but the largest's own 1:
/// p_i = e_i / (1 + r) and -log p_y = (z_max - z_y) + log1p(r). The sum is kept without its 1, so that a loss near 0
/// and the gradient p_y - 1 near 0 keep their digits.
class SoftmaxRow {
public:
    /// `logits` has one value for each class.
    void take(std::span<const float> logits);

    /// The class with the largest logit, the first of equals.
    std::size_t largest() const { return m_largest; }
    float probability(std::size_t i) const { return m_exponentials[i] / (1.0f + m_rest); }
    /// -log p_label, natural logarithm; in double, since z_max - z_label may be twice the largest float32.
    double crossEntropy(std::size_t label) const;
    /// p_i - 1 if i is the label, else p_i.
    float gradient(std::size_t i, std::size_t label) const;

private:
    std::vector<float> m_logits;
    std::vector<float> m_exponentials;
    std::size_t m_largest = 0;
    float m_rest = 0; ///< r
};

} // namespace halfstep::backend::cpu
