#pragma once
#include "ui/pages/live_run.h"
#include <QWidget>

namespace halfstep::ui {

class MetricCard;

/// The numbers of a run at a glance: loss, accuracy, ms / step, images / s, loss scale, and of a run with
/// 16-bit weights the updates that are lost.
class LiveCards : public QWidget {
    Q_OBJECT

public:
    explicit LiveCards(QWidget* parent = nullptr);
    void showRun(const LiveRun& run);

private:
    MetricCard* m_loss;
    MetricCard* m_accuracy;
    MetricCard* m_time;
    MetricCard* m_rate;
    MetricCard* m_scale;
    MetricCard* m_lost;
};

} // namespace halfstep::ui
