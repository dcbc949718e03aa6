#pragma once
#include <QStringList>
#include <QWidget>

class QButtonGroup;

namespace halfstep::ui {

/// One of a few choices, side by side. Tab reaches it, the arrow keys move in it.
class SegmentedSwitch : public QWidget {
    Q_OBJECT

public:
    explicit SegmentedSwitch(const QStringList& texts, QWidget* parent = nullptr);

    int current() const;
    /// Emits nothing.
    void setCurrent(int segment);
    void setText(int segment, const QString& text);
    QString text(int segment) const;
    void setSegmentToolTip(int segment, const QString& text);

    void setSegmentEnabled(int segment, bool enabled);

signals:
    /// The person chose another segment.
    void chosen(int segment);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QButtonGroup* m_buttons;
};

} // namespace halfstep::ui
