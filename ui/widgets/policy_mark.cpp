#include "ui/widgets/policy_mark.h"
#include "ui/widgets/theme.h"
#include <QPainter>
#include <QPixmap>
#include <QPolygonF>

namespace halfstep::ui {

QIcon policyIcon(precision::Policy policy) {
    constexpr int side = 16;
    constexpr double scale = 3; // sharp up to three device pixels a pixel
    QPixmap pixmap(static_cast<int>(side * scale), static_cast<int>(side * scale));
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colourOf(policy));
    switch (markerOf(policy)) {
    case Marker::Circle:
        painter.drawEllipse(QRectF(3, 3, 10, 10));
        break;
    case Marker::Square:
        painter.drawRect(QRectF(3.5, 3.5, 9, 9));
        break;
    case Marker::Triangle:
        painter.drawPolygon(QPolygonF{{8, 2.5}, {13.5, 12.5}, {2.5, 12.5}});
        break;
    }
    painter.end();
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected); // or a selected row would tint the policy's colour
    return icon;
}

} // namespace halfstep::ui
