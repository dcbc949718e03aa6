#pragma once
#include "engine/analysis/roofline.h"
#include "engine/values/profile.h"
#include <string>
#include <vector>

namespace halfstep::analysis {

/// How a step's time divides by what bounds its parts: shares of the sum of the parts, together 1.
struct BoundShares {
    double arithmetic = 0, memory = 0, neither = 0, unknown = 0;
    /// Of `memory`, what is in tensors that a mixed policy stores in 16 bit: all but the variables and the
    /// optimizer's state, which stay float32, and the images, which are bytes.
    double halvable = 0;
};
BoundShares boundSharesOf(const values::StepProfile& profile);

/// How many times faster a step can become at most if its tensors took half the bytes and nothing else changed
/// (Amdahl's law, with the speed-up 2 on the share f of the time that is bound by their bytes):
///
///   S = 1 / (1 - f + f / 2) = 1 / (1 - f / 2),   f = halvable
///
/// It counts the bytes that a pass must move at least. What an algorithm moves beyond them (spectra) is in its time
/// and may become less, too: then a step gains more than this, which speedupSentence says.
double mostByHalving(const BoundShares& shares);

/// A part in two profiles; 0 where one has none.
struct PartDifference {
    std::string layer{}, operation{};
    double before = 0, after = 0; ///< milliseconds, medians
    bool shown = true;            ///< false: their quartiles overlap
    double gained() const { return before - after; }
};

/// Why a step takes another time than a step of another policy.
struct Comparison {
    double before = 0, after = 0;        ///< milliseconds, medians of the unprofiled steps
    bool shown = false;                  ///< false: their quartiles overlap, so that no difference is shown
    std::vector<PartDifference> parts{}; ///< by what was gained, the most first

    double speedup() const { return after > 0 ? before / after : 0; }
};
Comparison compare(const values::StepProfile& baseline, const values::StepProfile& profile);

/// One sentence: what bounds the step.
std::string boundSentence(const values::StepProfile& profile);
/// One sentence: what the most is that half-size tensors can gain; of a policy that has them, what they leave.
std::string halvingSentence(const values::StepProfile& profile);
/// One sentence: whether the profile adds up, and how busy the threads are.
std::string sumSentence(const values::StepProfile& profile);
/// Why the measured speed-up is what it is: the ratio, then the parts that became faster and slower, in ms.
std::string speedupSentence(const values::StepProfile& baseline, const values::StepProfile& profile);

/// The three sentences of a profile by itself, or with the fourth of one against a baseline, which may be null.
std::vector<std::string> whySentences(const values::StepProfile& profile, const values::StepProfile* baseline);

} // namespace halfstep::analysis
