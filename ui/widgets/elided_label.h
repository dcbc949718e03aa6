#pragma once
#include <QLabel>

namespace halfstep::ui {

/// One line of text that never asks for room: what does not fit is left out of its middle (or end), the tool tip
/// has all of it, and its menu copies all of it. For names of files, which may be of any length, and for sentences.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    explicit ElidedLabel(Qt::TextElideMode mode, QWidget* parent = nullptr);

    void setFullText(const QString& text);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode m_mode;
};

} // namespace halfstep::ui
