#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

class QWidget;

namespace halfstep::ui {

/// How long the window's thread spends on drawing while something is measured: what handlers take (Span), and what
/// the window takes to paint itself. So a person sees whether the picture disturbs what it shows.
class DrawCost : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// From 0, for the window that `widget` is in.
    void begin(QWidget* widget);
    void end();
    double drawingSeconds() const { return static_cast<double>(m_nanoseconds) * 1e-9; }
    double elapsedSeconds() const {
        return m_running ? static_cast<double>(m_elapsed.nsecsElapsed()) * 1e-9 : m_ended;
    }

    /// Counts from its construction to its end; spans within a span count once.
    class Span {
    public:
        explicit Span(DrawCost& cost);
        ~Span();
        Span(const Span&) = delete;
        Span& operator=(const Span&) = delete;

    private:
        DrawCost& m_cost;
        QElapsedTimer m_timer;
    };

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPointer<QWidget> m_window;
    QElapsedTimer m_elapsed;
    double m_ended = 0; ///< seconds
    qint64 m_nanoseconds = 0;
    int m_depth = 0;
    bool m_running = false;
};

} // namespace halfstep::ui
