#include "ui/charts/chart_view.h"
#include <QChart>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <cmath>

namespace halfstep::ui {

ChartView::ChartView(QWidget* parent) : QChartView(parent) {
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setBackgroundBrush(Qt::NoBrush);
    viewport()->setAutoFillBackground(false);
    // The whole scene is drawn anyway when a series changes; bookkeeping of rectangles only costs.
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
}

QPointF ChartView::inChart(const QPointF& position) const {
    return chart()->mapFromScene(mapToScene(position.toPoint()));
}

void ChartView::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0) {
        QChartView::wheelEvent(event);
        return;
    }
    emit zoomRequested(std::pow(0.8, notches), inChart(event->position()));
    event->accept();
}

void ChartView::mouseDoubleClickEvent(QMouseEvent* event) {
    emit resetRequested();
    event->accept();
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
    emit hovered(inChart(event->position()));
    QChartView::mouseMoveEvent(event);
}

void ChartView::leaveEvent(QEvent* event) {
    emit hoverLeft();
    QChartView::leaveEvent(event);
}

void ChartView::keyPressEvent(QKeyEvent* event) {
    const QPointF middle = chart()->plotArea().center();
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        emit zoomRequested(0.8, middle);
        return;
    case Qt::Key_Minus:
        emit zoomRequested(1.25, middle);
        return;
    case Qt::Key_0:
        emit resetRequested();
        return;
    case Qt::Key_Left:
        emit stepRequested(-1);
        return;
    case Qt::Key_Right:
        emit stepRequested(1);
        return;
    default:
        QChartView::keyPressEvent(event);
    }
}

void ChartView::paintEvent(QPaintEvent* event) {
    QChartView::paintEvent(event);
    if (hasFocus()) {
        QPainter painter(viewport());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5));
        painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

} // namespace halfstep::ui
