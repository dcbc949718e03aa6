#pragma once
#include "engine/precision/policy.h"
#include "ui/widgets/theme.h"
#include <QColor>
#include <QIcon>
#include <QImage>

class QPainter;
class QRectF;

namespace halfstep::ui {

/// Draws the mark into the square `place`, a quarter of whose side stays clear around it.
void drawMarker(QPainter& painter, Marker marker, const QRectF& place, const QColor& colour);

/// The mark alone on clear ground, three device pixels a pixel, filling its square of `side` pixels.
QImage markerImage(Marker marker, const QColor& colour, int side);

/// The policy's marker in its colour, for tables and lists.
QIcon policyIcon(precision::Policy policy);

} // namespace halfstep::ui
