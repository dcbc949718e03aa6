#pragma once
#include <QFrame>
#include <QString>

class QLabel;
class QPushButton;
class QToolButton;

namespace halfstep::ui {

/// A sentence where the trouble arose, with the action that mends it and a button that puts it away. Hidden until
/// something is shown. Never modal.
class Banner : public QFrame {
    Q_OBJECT

public:
    enum class Kind { Information, Success, Warning, Error };

    explicit Banner(QWidget* parent = nullptr);

    /// With an actionText, a button that emits actionRequested().
    void showMessage(Kind kind, const QString& sentence, const QString& actionText = {});
    void dismiss();
    QString message() const;

signals:
    void actionRequested();

private:
    QLabel* m_mark;
    QLabel* m_text;
    QPushButton* m_action;
    QToolButton* m_close;
};

} // namespace halfstep::ui
