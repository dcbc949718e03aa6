#include "ui/widgets/draw_cost.h"
#include <QEvent>
#include <QWidget>

namespace halfstep::ui {

DrawCost::Span::Span(DrawCost& cost) : m_cost(cost) {
    ++m_cost.m_depth;
    m_timer.start();
}

DrawCost::Span::~Span() {
    if (--m_cost.m_depth == 0 && m_cost.m_running) {
        m_cost.m_nanoseconds += m_timer.nsecsElapsed();
    }
}

void DrawCost::begin(QWidget* widget) {
    end();
    m_window = widget->window();
    m_window->installEventFilter(this);
    m_nanoseconds = 0;
    m_elapsed.start();
    m_running = true;
}

void DrawCost::end() {
    if (m_running) {
        m_ended = elapsedSeconds();
        m_running = false;
    }
    if (m_window) {
        m_window->removeEventFilter(this);
        m_window.clear();
    }
}

bool DrawCost::eventFilter(QObject* watched, QEvent* event) {
    // All widgets of a window are painted while it handles this event, so its handling is what is to be timed: the
    // window gets it from here.
    if (event->type() == QEvent::UpdateRequest && watched == m_window) {
        const Span span(*this);
        watched->event(event);
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace halfstep::ui
