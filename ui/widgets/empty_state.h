#pragma once
#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace halfstep::ui {

/// What an empty page shows: what belongs here, one sentence on what to do, and the button that does it.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    /// An empty buttonText makes no button.
    EmptyState(const QString& title, const QString& sentence, const QString& buttonText, QWidget* parent = nullptr);

    void setTexts(const QString& title, const QString& sentence);
    QPushButton* button() const { return m_button; }

signals:
    void actionRequested();

private:
    QLabel* m_title;
    QLabel* m_sentence;
    QPushButton* m_button;
};

} // namespace halfstep::ui
