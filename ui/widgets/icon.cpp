#include "ui/widgets/icon.h"
#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>
#include <QtGlobal>

// Resources of a static library are linked only if something asks for them; the macro must stand outside namespaces.
static void useResources() {
    Q_INIT_RESOURCE(halfstep);
}

namespace halfstep::ui {

QIcon icon(const QString& name, const QColor& colour) {
    useResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QByteArray drawing = file.readAll();
    drawing.replace("#000", colour.name().toLatin1()); // the icons are drawn in black
    QSvgRenderer renderer(drawing);
    QIcon result;
    for (const int side : {16, 32, 48}) {
        QPixmap pixmap(side, side);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        result.addPixmap(pixmap);
    }
    return result;
}

QIcon programIcon() {
    useResources();
    return QIcon(QStringLiteral(":/icons/halfstep.svg"));
}

} // namespace halfstep::ui
