#include "ui/bridge/signal_watcher.h"
#include <QSocketNotifier>
#include <csignal>
#include <sys/signalfd.h>
#include <unistd.h>

namespace halfstep::ui {

SignalWatcher::SignalWatcher(QObject* parent) : QObject(parent) {
    // A descriptor instead of a handler: nothing runs between two instructions of ours, and no global is needed.
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGINT);
    sigaddset(&watched, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &watched, nullptr);
    m_descriptor = signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC);
    if (m_descriptor < 0) {
        pthread_sigmask(SIG_UNBLOCK, &watched, nullptr);
        return;
    }
    // Queued: before QApplication there is no event loop that a notifier could join, so it is made when one runs.
    QMetaObject::invokeMethod(this, &SignalWatcher::listen, Qt::QueuedConnection);
}

void SignalWatcher::listen() {
    m_notifier = new QSocketNotifier(m_descriptor, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        signalfd_siginfo info{};
        while (read(m_descriptor, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
            emit terminationRequested();
        }
    });
}

SignalWatcher::~SignalWatcher() {
    if (m_descriptor >= 0) {
        close(m_descriptor);
    }
}

} // namespace halfstep::ui
