#pragma once
#include "engine/values/experiment_config.h"
#include <QString>
#include <cstdint>
#include <optional>

class QSettings;

namespace halfstep::ui {

/// How long a step will take, and what it needs, as far as this machine has shown.
struct StepEstimate {
    double milliseconds = 0;
    bool measured = false;                      ///< of exactly this configuration; else scaled or guessed
    std::optional<std::uint64_t> memoryBytes{}; ///< only where measured
};

/// What runs have shown, kept in the settings by policy, batch size, image size, device and threads.
class StepTimes {
public:
    /// The settings may be null: then every estimate is the first guess.
    explicit StepTimes(QSettings* settings) : m_settings(settings) {}

    void remember(const values::ExperimentConfig& config, double milliseconds, std::int64_t peakBytes);
    StepEstimate estimate(const values::ExperimentConfig& config, int cores) const;

private:
    QSettings* m_settings;
};

/// What Start will do, in one sentence: "19 steps × 20 epochs, about 40 s and 120 MB, as measured before."
/// `trainPictures` is empty while the set is not known.
QString planSentence(const values::ExperimentConfig& config, const std::optional<std::int64_t>& trainPictures,
                     const StepEstimate& estimate);

} // namespace halfstep::ui
