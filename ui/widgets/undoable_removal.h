#pragma once
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>

namespace halfstep::ui {

class Banner;

/// A deletion that can be undone for some seconds. What is to go is hidden at once by whoever asks; it is deleted
/// when the time is over, when the next deletion begins, or when its page closes. A banner says so and offers Undo.
class UndoableRemoval : public QObject {
    Q_OBJECT

public:
    /// How long it can be undone, in milliseconds.
    static constexpr int kTime = 8000;

    /// The banner's action is taken for Undo while a removal waits.
    explicit UndoableRemoval(Banner* banner, QObject* parent = nullptr);
    /// What waits is not carried out: call carryOut() first, while what it needs is alive.
    ~UndoableRemoval() override = default;

    /// `sentence` says what was deleted; exactly one of `remove` and `restore` is called.
    void begin(const QString& sentence, std::function<void()> remove, std::function<void()> restore);
    bool waits() const { return m_remove != nullptr; }
    void undo();
    void carryOut();

private:
    Banner* m_banner;
    QTimer m_timer;
    std::function<void()> m_remove;
    std::function<void()> m_restore;
};

} // namespace halfstep::ui
