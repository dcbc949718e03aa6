#include "ui/pages/run_estimate.h"
#include "ui/format/format.h"
#include <QCoreApplication>
#include <QSettings>
#include <algorithm>

namespace halfstep::ui {

namespace {

constexpr auto kGroup = "step_times";
constexpr auto kLastKey = "step_times/milliseconds_per_megapixel";
/// Before this machine has run anything: one core of the year 2020, with AVX2.
constexpr double kFirstGuessCoreMillisecondsPerMegapixel = 900;

QString keyOf(const values::ExperimentConfig& config) {
    const QString device = config.device == "auto" ? QStringLiteral("cpu") : QString::fromStdString(config.device);
    return QStringLiteral("%1/%2_%3_%4_%5_%6")
        .arg(QLatin1String(kGroup), policyName(config.policy))
        .arg(config.batchSize)
        .arg(config.imageSize)
        .arg(QString(device).replace(QLatin1Char(':'), QLatin1Char('-')))
        .arg(config.threads);
}

double megapixelsOf(const values::ExperimentConfig& config) {
    return 1e-6 * config.batchSize * config.imageSize * config.imageSize;
}

QString say(const char* text) {
    return QCoreApplication::translate("RunEstimate", text);
}

} // namespace

void StepTimes::remember(const values::ExperimentConfig& config, double milliseconds, std::int64_t peakBytes) {
    if (m_settings == nullptr || milliseconds <= 0) {
        return;
    }
    m_settings->setValue(keyOf(config), QVariantList{milliseconds, static_cast<qlonglong>(peakBytes)});
    m_settings->setValue(kLastKey, milliseconds / megapixelsOf(config));
}

StepEstimate StepTimes::estimate(const values::ExperimentConfig& config, int cores) const {
    const int threads = std::max(config.threads > 0 ? std::min(config.threads, cores) : cores, 1);
    double perMegapixel = kFirstGuessCoreMillisecondsPerMegapixel / threads;
    if (m_settings != nullptr) {
        const QVariantList kept = m_settings->value(keyOf(config)).toList();
        if (kept.size() == 2) {
            const auto bytes = kept[1].toULongLong();
            return {kept[0].toDouble(), true, bytes > 0 ? std::optional<std::uint64_t>(bytes) : std::nullopt};
        }
        perMegapixel = m_settings->value(kLastKey, perMegapixel).toDouble();
    }
    return {perMegapixel * megapixelsOf(config), false, std::nullopt};
}

QString planSentence(const values::ExperimentConfig& config, const std::optional<std::int64_t>& trainPictures,
                     const StepEstimate& estimate) {
    const QString epochs = config.epochs == 1 ? say("1 epoch") : say("%1 epochs").arg(count(config.epochs));
    if (!trainPictures) {
        return epochs + say("; how many steps, is known once the photographs are read.");
    }
    const std::int64_t stepsPerEpoch = (*trainPictures + config.batchSize - 1) / std::max(config.batchSize, 1);
    const std::int64_t steps = std::min(stepsPerEpoch * config.epochs, config.steps.value_or(INT64_MAX));
    const QString time = aboutDuration(estimate.milliseconds * static_cast<double>(steps) / 1000);
    const QString memory =
        estimate.memoryBytes ? say(" and %1 of memory").arg(bytes(*estimate.memoryBytes)) : QString();
    const QString source = estimate.measured ? say("as measured before") : say("by a first guess");
    const QString perEpoch = stepsPerEpoch == 1 ? say("1 step") : say("%1 steps").arg(count(stepsPerEpoch));
    return say("%1 × %2: %3%4, %5.").arg(perEpoch, epochs, time, memory, source);
}

} // namespace halfstep::ui
