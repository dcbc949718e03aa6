#pragma once
#include <QColor>
#include <QIcon>
#include <QString>

namespace halfstep::ui {

/// An icon of resources/icons by its name ("folder"), drawn in one colour, sharp at any scale.
QIcon icon(const QString& name, const QColor& colour);

/// The program's own icon.
QIcon programIcon();

} // namespace halfstep::ui
