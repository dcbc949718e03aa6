#include "engine/measure/profiled_training.h"
#include "engine/analysis/statistics.h"
#include "engine/backend/backend.h"
#include "engine/measure/endless_order.h"
#include "engine/measure/part_facts.h"
#include <algorithm>
#include <chrono>
#include <ctime>
#include <numeric>

namespace halfstep::measure {
namespace {

using values::ProfilePart;

/// Of all threads of this process.
double processorMilliseconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

std::int64_t classesOf(const data::Dataset& dataset) {
    return static_cast<std::int64_t>(dataset.info().classes.size());
}

values::StepTimes timesOf(const std::vector<double>& sample) {
    const analysis::Quartiles quartiles = analysis::quartiles(sample).value_or(analysis::Quartiles{});
    return {quartiles.median, quartiles.q25, quartiles.q75};
}

void describe(ProfilePart& part, const std::vector<ProfilePart>& facts) {
    const auto known = std::ranges::find_if(
        facts, [&](const ProfilePart& fact) { return fact.layer == part.layer && fact.operation == part.operation; });
    part.kind = kindOf(part.layer);
    if (known != facts.end()) {
        part.flops = known->flops;
        part.directFlops = known->directFlops;
        part.bytes = known->bytes;
        part.algorithm = known->algorithm;
    }
}

} // namespace

ProfiledTraining::ProfiledTraining(const values::ExperimentConfig& config,
                                   std::shared_ptr<const data::Dataset> dataset,
                                   std::shared_ptr<backend::Backend> device, std::int64_t mostSteps)
    : m_config(config),
      m_device(device),
      m_classes(classesOf(*dataset)),
      m_state(config, m_classes, std::move(device)),
      m_step(*m_device, m_state.network, *m_state.optimizer, m_state.scaler ? &*m_state.scaler : nullptr) {
    std::vector<std::int64_t> order = endlessOrder(*dataset, config.seed, mostSteps * config.batchSize);
    m_loader = std::make_unique<data::DataLoader>(std::move(dataset), data::Split::Train, std::move(order),
                                                  config.batchSize);
}

bool ProfiledTraining::step(bool timed, double& milliseconds) {
    m_timer.begin();
    const data::Batch& batch = *m_loader->next();
    if (timed) {
        m_timer.lap("input", "wait");
    }
    m_device->normalizeImages(batch.images, m_state.network.input(batch.size));
    if (timed) {
        m_timer.lap("images", "normalize");
    }
    const train::StepOutcome outcome = timed ? m_step.runTimed(batch.labels, m_timer) : m_step.run(batch.labels);
    milliseconds = m_timer.end();
    m_skipped += outcome.gradientsFinite ? 0 : 1;
    return outcome.gradientsFinite;
}

bool ProfiledTraining::warmUp(bool timed) {
    double milliseconds = 0;
    const bool whole = step(timed, milliseconds);
    m_warmUpMilliseconds += milliseconds;
    ++m_warmUpSteps;
    return whole;
}

bool ProfiledTraining::profiled() {
    double milliseconds = 0;
    if (!step(true, milliseconds)) {
        return false;
    }
    m_timer.keep();
    m_profiled.push_back(milliseconds);
    return true;
}

bool ProfiledTraining::unprofiled() {
    const double before = processorMilliseconds();
    double milliseconds = 0;
    if (!step(false, milliseconds)) {
        return false;
    }
    m_processorMilliseconds += processorMilliseconds() - before;
    m_unprofiled.push_back(milliseconds);
    return true;
}

values::StepProfile ProfiledTraining::profile() const {
    values::StepProfile profile;
    profile.config = m_config;
    profile.classes = m_classes;
    const std::vector<ProfilePart> facts = partFacts(m_config, m_classes, *m_device);
    for (const StepTimer::Part& timed : m_timer.parts()) {
        ProfilePart& part = profile.parts.emplace_back();
        part.layer = timed.layer;
        part.operation = timed.operation;
        part.milliseconds = timesOf(timed.milliseconds);
        describe(part, facts);
    }
    const double sum = profile.sumOfParts();
    for (ProfilePart& part : profile.parts) {
        part.share = sum > 0 ? part.milliseconds.median / sum : 0;
    }
    profile.profiledStep = timesOf(m_profiled);
    profile.unprofiledStep = timesOf(m_unprofiled);
    const double wall = std::accumulate(m_unprofiled.begin(), m_unprofiled.end(), 0.0);
    profile.processorShare = wall > 0 ? std::min(m_processorMilliseconds / (wall * m_device->threads()), 1.0) : 0;
    profile.steps = static_cast<std::int64_t>(m_profiled.size());
    profile.warmUpSteps = m_warmUpSteps;
    profile.warmUpMilliseconds = m_warmUpMilliseconds;
    profile.skippedSteps = m_skipped;
    return profile;
}

} // namespace halfstep::measure
