#pragma once
#include "engine/backend/cpu/convolution.h"
#include "engine/backend/cpu/plan/method_memory.h"
#include <functional>
#include <string>
#include <vector>

namespace halfstep::backend::cpu {

/// Chooses how convolutions are done. The cost model rules out what is far behind; what is left is timed once for a
/// machine and remembered, if there is a place for that, or else judged by the model.
///
/// A choice holds for all storage dtypes and numbers of threads, so that policies are compared on the same algorithm
/// and no bit of a result depends on the number of threads. Batches that the same power of two bounds share one.
class ConvolutionPlanner {
public:
    /// Seconds of the three passes over a batch; infinite if it cannot be done.
    using Timing = std::function<double(const ConvolutionMethod&, const ConvolutionGeometry&, std::int64_t batch)>;

    /// `rule` is "auto", "fft" (where it fits) or "direct".
    ConvolutionPlanner(std::string rule, MethodMemory memory)
        : m_rule(std::move(rule)),
          m_memory(std::move(memory)) {}

    /// `oneDnnUsable` is asked where oneDNN may be the fastest: a process can hold it to one instruction set only,
    /// and without it "auto" does with what else fits.
    ConvolutionMethod methodFor(const ConvolutionGeometry& geometry, std::int64_t batch,
                                const std::function<bool()>& oneDnnUsable, const Timing& timing);

    /// One that knows the same and tries nothing.
    ConvolutionPlanner withoutTrials() const {
        ConvolutionPlanner copy = *this;
        copy.m_tries = false;
        return copy;
    }

private:
    struct Candidate {
        ConvolutionMethod method;
        double cost;
    };
    /// What the rule allows, the cheapest by the model first.
    std::vector<Candidate> candidates(const ConvolutionGeometry& geometry, std::int64_t batch) const;

    std::string m_rule;
    MethodMemory m_memory;
    bool m_tries = true;
};

} // namespace halfstep::backend::cpu
