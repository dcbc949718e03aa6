#pragma once
#include "ui/widgets/card.h"
#include <QString>
#include <vector>

class QLabel;

namespace halfstep::ui {

class Sparkline;

/// One number at a glance: caption, large value, a smaller line under it, optionally a sparkline. Its width does not
/// depend on the digits.
class MetricCard : public Card {
    Q_OBJECT

public:
    explicit MetricCard(const QString& caption, QWidget* parent = nullptr);

    void setValue(const QString& value, const QString& detail = {});
    void setSparkline(std::vector<double> values);
    QString value() const;
    QString detail() const;

private:
    QString m_caption;
    QLabel* m_value;
    QLabel* m_detail;
    Sparkline* m_sparkline;
};

} // namespace halfstep::ui
