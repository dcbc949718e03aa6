#include "ui/charts/part_look.h"
#include <QCoreApplication>

namespace halfstep::ui {

using values::PartKind;

QColor colourOf(PartKind kind) {
    switch (kind) {
    case PartKind::Input:
        return "#7E8A2E";
    case PartKind::Convolution:
        return "#7C6FD0";
    case PartKind::Normalization:
        return "#1F8F88";
    case PartKind::Head:
        return "#B5527A";
    case PartKind::Variables:
        return "#A8831A";
    case PartKind::Other:
        break;
    }
    return "#8A919E";
}

QString partKindText(PartKind kind) {
    const auto say = [](const char* text) { return QCoreApplication::translate("ProfilePart", text); };
    switch (kind) {
    case PartKind::Input:
        return say("input");
    case PartKind::Convolution:
        return say("convolution");
    case PartKind::Normalization:
        return say("batch normalization");
    case PartKind::Head:
        return say("dense, loss");
    case PartKind::Variables:
        return say("variables");
    case PartKind::Other:
        break;
    }
    return say("other");
}

QString partName(const values::ProfilePart& part) {
    const QString operation = QString::fromStdString(part.operation).replace(QLatin1Char('_'), QLatin1Char(' '));
    return QString::fromStdString(part.layer) + QStringLiteral(", ") + operation;
}

} // namespace halfstep::ui
