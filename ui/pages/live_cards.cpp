#include "ui/pages/live_cards.h"
#include "ui/format/format.h"
#include "ui/widgets/metric_card.h"
#include "ui/widgets/theme.h"
#include <QHBoxLayout>
#include <algorithm>

namespace halfstep::ui {

namespace {

constexpr std::size_t kSparkSteps = 60;

std::optional<double> lastValidation(const LiveRun& run, std::optional<double> values::EpochRecord::*value) {
    for (auto epoch = run.epochs().rbegin(); epoch != run.epochs().rend(); ++epoch) {
        if (((*epoch).*value).has_value()) {
            return (*epoch).*value;
        }
    }
    return std::nullopt;
}

std::vector<double> recentTimes(const LiveRun& run) {
    const auto& steps = run.steps();
    std::vector<double> times;
    const auto warmUp = std::min(static_cast<std::size_t>(run.warmUpSteps()), steps.size());
    const std::size_t begin = std::max(warmUp, steps.size() > kSparkSteps ? steps.size() - kSparkSteps : 0);
    for (std::size_t i = begin; i < steps.size(); ++i) {
        times.push_back(steps[i].stepMilliseconds);
    }
    return times;
}

} // namespace

LiveCards::LiveCards(QWidget* parent)
    : QWidget(parent),
      m_loss(new MetricCard(tr("loss"))),
      m_accuracy(new MetricCard(tr("accuracy"))),
      m_time(new MetricCard(tr("ms / step"))),
      m_rate(new MetricCard(tr("images / s"))),
      m_scale(new MetricCard(tr("loss scale"))),
      m_lost(new MetricCard(tr("updates lost"))) {
    m_loss->setToolTip(tr("Mean cross-entropy of the training batches, smoothed over about ten steps"));
    m_accuracy->setToolTip(tr("Share of the training pictures that were classified right, smoothed likewise"));
    m_time->setToolTip(tr("Median of the last 50 steps with a full batch after warm-up; ± is half of the range that "
                          "the middle half of them spans"));
    m_rate->setToolTip(tr("Pictures trained on a second, waiting for data included"));
    m_scale->setToolTip(tr("The loss is multiplied by this, so that small gradients do not vanish in float16; a step "
                           "whose gradients overflow is skipped, and the scale halved"));
    m_lost->setToolTip(
        tr("Share of the weights' updates that rounding to 16 bits took away: smaller than half a unit in "
           "the last place of their weight. Smoothed over about ten steps"));
    m_lost->hide();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    for (MetricCard* card : {m_loss, m_accuracy, m_time, m_rate, m_scale, m_lost}) {
        layout->addWidget(card, 1);
    }
}

void LiveCards::showRun(const LiveRun& run) {
    const bool any = !run.steps().empty();
    const auto valLoss = lastValidation(run, &values::EpochRecord::valLoss);
    const auto valAccuracy = lastValidation(run, &values::EpochRecord::valAccuracy);
    m_loss->setValue(any ? fixed(run.smoothedLoss().back(), 3) : absent(),
                     tr("val %1").arg(valLoss ? fixed(*valLoss, 3) : absent()));
    m_accuracy->setValue(any ? fixed(run.smoothedAccuracy().back(), 3) : absent(),
                         tr("val %1").arg(valAccuracy ? fixed(*valAccuracy, 3) : absent()));

    const auto time = run.stepTime();
    m_time->setValue(time ? significant(time->median) : absent(),
                     time ? tr("± %1").arg(significant(time->spread)) : tr("warming up"));
    m_time->setSparkline(recentTimes(run));
    const auto rate = run.imagesPerSecond();
    m_rate->setValue(rate ? significant(*rate) : absent(), tr("batch %1").arg(run.config().batchSize));

    const auto scaling = values::lossScalerOptions(run.config());
    if (!scaling) {
        m_scale->setValue(absent(), tr("not used"));
    } else {
        const bool known = any && run.steps().back().lossScale.has_value();
        m_scale->setValue(known ? lossScale(*run.steps().back().lossScale) : absent(),
                          tr("%1 skipped").arg(run.skippedSteps()));
    }

    // Decided when the run begins: nothing moves while it goes on.
    m_lost->setVisible(precision::hasNarrowVariables(precision::traitsOf(run.config().policy)));
    m_lost->setValue(run.lostUpdates() ? sharePercent(*run.lostUpdates()) : absent(), tr("by rounding"));
}

} // namespace halfstep::ui
