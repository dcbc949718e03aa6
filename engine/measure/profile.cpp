#include "engine/measure/profile.h"
#include "engine/backend/backend.h"
#include "engine/measure/measured_ceilings.h"
#include "engine/measure/profiled_training.h"
#include "engine/tensor/error.h"
#include "engine/train/conduct_run.h"
#include "engine/train/environment.h"
#include "engine/train/memory_plan.h"
#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace halfstep::measure {
namespace {

/// Skipped steps that are made up for, more than a loss scale needs on its way down.
constexpr std::int64_t kMostSkipped = 50;

/// One configuration with everything that its steps need.
struct Subject {
    train::RunOutcome run; ///< configuration and environment, resolved
    std::shared_ptr<const data::Dataset> dataset;
    std::shared_ptr<backend::Backend> device;
    values::Ceilings ceilings{};
    std::unique_ptr<ProfiledTraining> training{};
    std::int64_t skipped = 0;
};

class Profiling {
public:
    Profiling(const train::Places& places, const ProfileOptions& options, const ProfileProgress& progress,
              std::stop_token stop)
        : m_places(places),
          m_options(options),
          m_progress(progress),
          m_stop(std::move(stop)) {}

    std::vector<values::StepProfile> run(const std::vector<values::ExperimentConfig>& configs) {
        for (const values::ExperimentConfig& config : configs) {
            train::throwFirstProblem(config);
        }
        for (const values::ExperimentConfig& config : configs) {
            prepare(config);
        }
        measureCeilings();
        for (Subject& subject : m_subjects) {
            begin(subject);
        }
        m_allSteps = (m_options.warmUpSteps + 2 * m_options.steps) * static_cast<std::int64_t>(m_subjects.size());
        makeSteps();
        std::vector<values::StepProfile> profiles;
        for (Subject& subject : m_subjects) {
            profiles.push_back(subject.training->profile());
            profiles.back().environment = subject.run.environment;
            subject.training.reset();
        }
        measureCeilings();
        for (std::size_t i = 0; i < profiles.size(); ++i) {
            profiles[i].ceilings = m_subjects[i].ceilings;
        }
        return profiles;
    }

private:
    void tell(const std::string& activity, std::int64_t done, std::int64_t total) {
        if (m_progress) {
            m_progress({activity, done, total});
        }
        if (m_stop.stop_requested()) {
            throw Cancelled();
        }
    }

    void prepare(const values::ExperimentConfig& config) {
        Subject subject{.run = {}, .dataset = {}, .device = train::makeDevice(config, m_places)};
        train::requireMemory(config, *subject.device); // better said before the pictures are read
        const values::EventSink sink = [this](const values::RunEvent& event) {
            if (const auto* progress = std::get_if<values::DataProgress>(&event); progress != nullptr && m_progress) {
                m_progress(*progress);
            }
        };
        subject.dataset = train::openPictures(config, m_places, sink, {.stop = m_stop});
        tell("Trying convolutions", 0, 0);
        subject.run = train::outcomeToBe(config, *subject.device, *subject.dataset);
        m_subjects.push_back(std::move(subject));
    }

    void begin(Subject& subject) {
        const auto classes = static_cast<std::int64_t>(subject.dataset->info().classes.size());
        train::requireMemory(train::planOf(subject.run.config, classes), *subject.device);
        subject.training =
            std::make_unique<ProfiledTraining>(subject.run.config, subject.dataset, subject.device,
                                               m_options.warmUpSteps + 2 * m_options.steps + kMostSkipped + 1);
    }

    void measureCeilings() {
        for (std::size_t i = 0; i < m_subjects.size(); ++i) {
            tell("Measuring the machine's ceilings", static_cast<std::int64_t>(i),
                 static_cast<std::int64_t>(m_subjects.size()));
            const backend::Backend& device = *m_subjects[i].device;
            const values::Ceilings measured = measuredCeilings(device.threads(), device.isa());
            for (Subject& subject : m_subjects) { // those of one machine are one sample
                if (subject.device->threads() == measured.threads && subject.device->isa() == measured.isa) {
                    subject.ceilings = bestOf(subject.ceilings, measured);
                }
            }
        }
    }

    /// Makes steps until one is whole.
    template <typename Step>
    void makeWhole(Subject& subject, Step&& step) {
        tell("Profiling", m_done++, m_allSteps);
        while (!step()) {
            if (++subject.skipped > kMostSkipped) {
                throw Error(fmt::format(
                    "{} of {}'s steps had gradients that are not finite, so there is no whole step to profile; "
                    "choose another policy, or a smaller learning rate.",
                    subject.skipped, precision::traitsOf(subject.run.config.policy).name));
            }
            tell("Profiling", m_done - 1, m_allSteps);
        }
    }

    void makeSteps() {
        for (std::int64_t i = 0; i < m_options.warmUpSteps; ++i) {
            for (Subject& subject : m_subjects) {
                makeWhole(subject, [&] { return subject.training->warmUp(i % 2 == 0); });
            }
        }
        for (std::int64_t round = 0; round < m_options.steps; ++round) {
            const bool forward = round % 2 == 0;
            for (std::size_t i = 0; i < m_subjects.size(); ++i) {
                Subject& subject = m_subjects[forward ? i : m_subjects.size() - 1 - i];
                for (const bool timed : {forward, !forward}) {
                    makeWhole(subject,
                              [&] { return timed ? subject.training->profiled() : subject.training->unprofiled(); });
                }
            }
        }
    }

    const train::Places& m_places;
    const ProfileOptions& m_options;
    const ProfileProgress& m_progress;
    std::stop_token m_stop;
    std::vector<Subject> m_subjects;
    std::int64_t m_allSteps = 0, m_done = 0;
};

} // namespace

std::vector<values::StepProfile> profileSteps(const std::vector<values::ExperimentConfig>& configs,
                                              const train::Places& places, const ProfileOptions& options,
                                              const ProfileProgress& progress, std::stop_token stop) {
    if (options.steps < 1) {
        throw ConfigError("steps", "A profile needs at least 1 step.");
    }
    if (options.warmUpSteps < 0) {
        throw ConfigError("warmup", "There cannot be fewer than 0 warm-up steps.");
    }
    return Profiling(places, options, progress, std::move(stop)).run(configs);
}

} // namespace halfstep::measure
