#include "ui/widgets/policy_mark.h"
#include <QPainter>
#include <QPixmap>
#include <QPolygonF>

namespace halfstep::ui {

namespace {

constexpr double kScale = 3; ///< sharp up to three device pixels a pixel
constexpr int kIconSide = 16;

/// Two bars across each other, with an edge where the colour needs one.
void drawBars(QPainter& painter, const QColor& colour, double length, double width) {
    const QRectF bar(-length / 2, -width / 2, length, width);
    const double edge = edgeOf(colour) == colour ? 0 : width / 4;
    const QRectF inner = bar.adjusted(edge, edge, -edge, -edge);
    for (const auto& [shape, fill] : {std::pair(bar, edgeOf(colour)), std::pair(inner, colour)}) {
        painter.setBrush(fill);
        painter.drawRect(shape);
        painter.drawRect(QRectF(shape.y(), shape.x(), shape.height(), shape.width()));
    }
}

} // namespace

void drawMarker(QPainter& painter, Marker marker, const QRectF& place, const QColor& colour) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.translate(place.center());
    painter.scale(place.width() / kIconSide, place.height() / kIconSide);
    switch (marker) {
    case Marker::Circle:
        painter.drawEllipse(QRectF(-5, -5, 10, 10));
        break;
    case Marker::Square:
        painter.drawRect(QRectF(-4.5, -4.5, 9, 9));
        break;
    case Marker::Triangle:
        painter.drawPolygon(QPolygonF{{0, -5.5}, {5.5, 4.5}, {-5.5, 4.5}});
        break;
    case Marker::Cross:
        painter.rotate(45);
        drawBars(painter, colour, 13, 3.5);
        break;
    case Marker::Plus:
        drawBars(painter, colour, 12, 4);
        break;
    }
    painter.restore();
}

QImage markerImage(Marker marker, const QColor& colour, int side) {
    const int pixels = static_cast<int>(side * kScale);
    QImage image(pixels, pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    const double clear = pixels / 8.0; // what drawMarker() leaves around a mark
    drawMarker(painter, marker, QRectF(0, 0, pixels, pixels).adjusted(-clear, -clear, clear, clear), colour);
    return image;
}

QIcon policyIcon(precision::Policy policy) {
    QPixmap pixmap(static_cast<int>(kIconSide * kScale), static_cast<int>(kIconSide * kScale));
    pixmap.setDevicePixelRatio(kScale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawMarker(painter, markerOf(policy), QRectF(0, 0, kIconSide, kIconSide), colourOf(policy));
    painter.end();
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected); // or a selected row would tint the policy's colour
    return icon;
}

} // namespace halfstep::ui
