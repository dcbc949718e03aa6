#include "ui/widgets/undoable_removal.h"
#include "ui/widgets/banner.h"
#include <utility>

namespace halfstep::ui {

UndoableRemoval::UndoableRemoval(Banner* banner, QObject* parent) : QObject(parent), m_banner(banner) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kTime);
    connect(&m_timer, &QTimer::timeout, this, &UndoableRemoval::carryOut);
    connect(banner, &Banner::actionRequested, this, &UndoableRemoval::undo);
}

void UndoableRemoval::begin(const QString& sentence, std::function<void()> remove, std::function<void()> restore) {
    carryOut(); // only the last can be undone
    m_remove = std::move(remove);
    m_restore = std::move(restore);
    m_banner->showMessage(Banner::Kind::Information, sentence, tr("Undo"));
    m_timer.start();
}

void UndoableRemoval::undo() {
    if (waits()) {
        m_timer.stop();
        m_remove = nullptr;
        m_banner->dismiss();
        std::exchange(m_restore, nullptr)();
    }
}

void UndoableRemoval::carryOut() {
    if (waits()) {
        m_timer.stop();
        m_restore = nullptr;
        m_banner->dismiss();
        std::exchange(m_remove, nullptr)();
    }
}

} // namespace halfstep::ui
