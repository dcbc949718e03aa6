#include "ui/pages/data_picture_view.h"
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace halfstep::ui {
namespace {
constexpr double kMostEnlarged = 2; ///< of a smooth picture, over one pixel a pixel
} // namespace

DataPictureView::DataPictureView(Scaling scaling, QWidget* parent) : QWidget(parent), m_scaling(scaling) {
    setMinimumSize(160, 160);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    if (scaling == Scaling::Crisp) {
        setMouseTracking(true);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::CrossCursor);
    }
}

void DataPictureView::setImage(const QImage& image) {
    m_image = image;
    if (m_pixel && !image.rect().contains(*m_pixel)) {
        point(std::nullopt);
    }
    update();
}

void DataPictureView::setMessage(const QString& text) {
    m_message = text;
    update();
}

void DataPictureView::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

QRectF DataPictureView::pictureRect() const {
    if (m_image.isNull()) {
        return {};
    }
    const double dpr = devicePixelRatioF();
    const double room = std::min(width() * dpr / m_image.width(), height() * dpr / m_image.height());
    double factor = 1; // device pixels a picture's pixel
    if (m_scaling == Scaling::Crisp && room >= 1) {
        factor = std::floor(room);
    } else {
        factor = std::min(room, m_scaling == Scaling::Smooth ? kMostEnlarged * dpr : room);
    }
    const QSizeF size(m_image.width() * factor / dpr, m_image.height() * factor / dpr);
    // On whole device pixels, or the squares would blur.
    const QPointF corner(std::floor((width() - size.width()) / 2 * dpr) / dpr,
                         std::floor((height() - size.height()) / 2 * dpr) / dpr);
    return {corner, size};
}

void DataPictureView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_image.isNull()) {
        painter.setPen(m_theme.mutedText);
        painter.drawText(rect().adjusted(kGrid, 0, -kGrid, 0), Qt::AlignCenter | Qt::TextWordWrap, m_message);
        return;
    }
    const QRectF target = pictureRect();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, m_scaling == Scaling::Smooth);
    painter.drawImage(target, m_image);
    if (m_pixel) {
        const double side = target.width() / m_image.width();
        const QRectF square(target.left() + m_pixel->x() * side, target.top() + m_pixel->y() * side, side, side);
        const QRectF frame = square.marginsAdded(QMarginsF(2, 2, 2, 2));
        painter.setPen(QPen(Qt::white, 3));
        painter.drawRect(frame);
        painter.setPen(QPen(Qt::black, 1));
        painter.drawRect(frame);
    }
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.accent, 2));
        painter.drawRect(target.marginsAdded(QMarginsF(2, 2, 2, 2)));
    }
}

void DataPictureView::point(std::optional<QPoint> pixel) {
    if (pixel != m_pixel) {
        m_pixel = pixel;
        update();
        emit pixelPointed(pixel);
    }
}

void DataPictureView::mouseMoveEvent(QMouseEvent* event) {
    const QRectF target = pictureRect();
    if (m_scaling != Scaling::Crisp || !target.contains(event->position())) {
        point(std::nullopt);
        return;
    }
    const QPointF inside = event->position() - target.topLeft();
    const double side = target.width() / m_image.width();
    point(QPoint(std::min(static_cast<int>(inside.x() / side), m_image.width() - 1),
                 std::min(static_cast<int>(inside.y() / side), m_image.height() - 1)));
}

void DataPictureView::leaveEvent(QEvent*) {
    point(std::nullopt);
}

void DataPictureView::focusOutEvent(QFocusEvent* event) {
    point(std::nullopt);
    QWidget::focusOutEvent(event);
}

void DataPictureView::keyPressEvent(QKeyEvent* event) {
    QPoint step;
    switch (event->key()) {
    case Qt::Key_Left:
        step = {-1, 0};
        break;
    case Qt::Key_Right:
        step = {1, 0};
        break;
    case Qt::Key_Up:
        step = {0, -1};
        break;
    case Qt::Key_Down:
        step = {0, 1};
        break;
    default:
        break;
    }
    if (step.isNull() || m_image.isNull() || m_scaling != Scaling::Crisp) {
        QWidget::keyPressEvent(event);
        return;
    }
    const QPoint from = m_pixel.value_or(m_image.rect().center() - step);
    const QPoint to = from + step * (event->modifiers() & Qt::ShiftModifier ? 10 : 1);
    point(QPoint(std::clamp(to.x(), 0, m_image.width() - 1), std::clamp(to.y(), 0, m_image.height() - 1)));
}

} // namespace halfstep::ui
