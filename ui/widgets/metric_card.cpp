#include "ui/widgets/metric_card.h"
#include "ui/widgets/sparkline.h"
#include "ui/widgets/theme.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace halfstep::ui {

MetricCard::MetricCard(const QString& caption, QWidget* parent)
    : Card({}, parent),
      m_caption(caption),
      m_value(new QLabel),
      m_detail(new QLabel),
      m_sparkline(new Sparkline) {
    auto* captionLabel = new QLabel(caption);
    captionLabel->setProperty("role", "caption");
    m_value->setProperty("role", "value");
    m_detail->setProperty("role", "caption");
    for (QLabel* label : {m_value, m_detail}) {
        // Ignored: a longer number is given no more room, so that the cards do not push each other.
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    }
    auto* bottom = new QHBoxLayout;
    bottom->setSpacing(kGrid);
    bottom->addWidget(m_detail, 3);
    bottom->addWidget(m_sparkline, 2);
    m_detail->setFixedHeight(m_sparkline->sizeHint().height());
    m_sparkline->hide();
    content()->setSpacing(kGrid / 4);
    content()->addWidget(captionLabel);
    content()->addWidget(m_value);
    content()->addLayout(bottom);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(11 * kGrid + 4);
    setValue(QStringLiteral("–"));
}

void MetricCard::setValue(const QString& value, const QString& detail) {
    if (m_value->text() != value) {
        m_value->setText(value);
    }
    if (m_detail->text() != detail) {
        m_detail->setText(detail);
    }
    setAccessibleName(detail.isEmpty() ? m_caption + QStringLiteral(": ") + value
                                       : m_caption + QStringLiteral(": ") + value + QStringLiteral(", ") + detail);
}

void MetricCard::setSparkline(std::vector<double> values) {
    m_sparkline->show();
    m_sparkline->setValues(std::move(values));
}

QString MetricCard::value() const {
    return m_value->text();
}
QString MetricCard::detail() const {
    return m_detail->text();
}

} // namespace halfstep::ui
