#pragma once
#include "engine/nn/step_clock.h"
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep::measure {

/// Adds up, for every operation of a step, how long it took in each of the steps that count. Takes a reading of a
/// steady clock an operation, some 30 a step; after the first step it allocates only where a sample is kept.
class StepTimer final : public nn::StepClock {
public:
    struct Part {
        std::string layer, operation;
        std::vector<double> milliseconds; ///< of every step kept
    };

    void begin();
    void lap(std::string_view layer, std::string_view operation) override;
    /// Of the step from begin() to now, in milliseconds.
    double end();
    /// The step that has ended counts: every part gets a sample, of 0 where it did not happen, and what is left of
    /// the step is the sample of "step", "other".
    void keep();
    /// In the order in which the first step made them, "other" last. Only after a step was kept.
    std::vector<Part> parts() const;

private:
    using Clock = std::chrono::steady_clock;

    std::vector<Part> m_parts;
    std::vector<double> m_step; ///< of the current step, a part each
    std::size_t m_next = 0;     ///< the part that is expected
    std::vector<double> m_other;
    double m_total = 0;
    std::size_t m_kept = 0;
    Clock::time_point m_begin, m_last;
};

} // namespace halfstep::measure
