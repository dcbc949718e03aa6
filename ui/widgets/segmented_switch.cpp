#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/theme.h"
#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>

namespace halfstep::ui {
namespace {

constexpr int kHeight = 4 * kGrid;
constexpr double kRadius = 6;

/// Text on the track; the checked one is a pill in the accent colour.
class Segment : public QAbstractButton {
public:
    explicit Segment(const QString& text, QWidget* parent) : QAbstractButton(parent) {
        setText(text);
        setCheckable(true);
        setFocusPolicy(Qt::TabFocus);
        setCursor(Qt::PointingHandCursor);
    }

    QSize sizeHint() const override { return {fontMetrics().horizontalAdvance(text()) + 3 * kGrid, kHeight}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF pill = QRectF(rect()).adjusted(2, 2, -2, -2);
        const QPalette::ColorGroup group = isEnabled() ? QPalette::Active : QPalette::Disabled;
        if (isChecked()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(palette().color(group, QPalette::Highlight));
            painter.drawRoundedRect(pill, kRadius - 1, kRadius - 1);
        }
        if (hasFocus()) {
            painter.setPen(QPen(palette().color(isChecked() ? QPalette::HighlightedText : QPalette::Highlight), 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(pill.adjusted(2, 2, -2, -2), kRadius - 3, kRadius - 3);
        }
        painter.setPen(palette().color(group, isChecked() ? QPalette::HighlightedText : QPalette::WindowText));
        painter.drawText(rect(), Qt::AlignCenter, text());
    }
};

} // namespace

SegmentedSwitch::SegmentedSwitch(const QStringList& texts, QWidget* parent)
    : QWidget(parent),
      m_buttons(new QButtonGroup(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (int i = 0; i < texts.size(); ++i) {
        auto* segment = new Segment(texts[i], this);
        m_buttons->addButton(segment, i);
        layout->addWidget(segment);
    }
    setCurrent(0);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_buttons, &QButtonGroup::idToggled, this, [this](int id, bool checked) {
        if (checked) {
            emit chosen(id);
        }
    });
}

int SegmentedSwitch::current() const {
    return m_buttons->checkedId();
}

void SegmentedSwitch::setCurrent(int segment) {
    const QSignalBlocker quiet(m_buttons);
    m_buttons->button(segment)->setChecked(true);
}

void SegmentedSwitch::setText(int segment, const QString& text) {
    m_buttons->button(segment)->setText(text);
    m_buttons->button(segment)->updateGeometry();
}

QString SegmentedSwitch::text(int segment) const {
    return m_buttons->button(segment)->text();
}

void SegmentedSwitch::setSegmentToolTip(int segment, const QString& text) {
    m_buttons->button(segment)->setToolTip(text);
}

void SegmentedSwitch::setSegmentEnabled(int segment, bool enabled) {
    m_buttons->button(segment)->setEnabled(enabled);
}

void SegmentedSwitch::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
}

} // namespace halfstep::ui
