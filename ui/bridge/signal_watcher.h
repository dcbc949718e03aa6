#pragma once
#include <QObject>

class QSocketNotifier;

namespace halfstep::ui {

/// Turns SIGINT and SIGTERM into a Qt signal, so that a terminated window ends its run and keeps it.
///
/// Construct it before any other thread starts, so before QApplication: it blocks the two signals in this thread, and
/// threads inherit that. It listens as soon as the event loop runs.
class SignalWatcher : public QObject {
    Q_OBJECT

public:
    explicit SignalWatcher(QObject* parent = nullptr);
    ~SignalWatcher() override;

signals:
    void terminationRequested();

private:
    void listen();

    int m_descriptor;
    QSocketNotifier* m_notifier = nullptr;
};

} // namespace halfstep::ui
