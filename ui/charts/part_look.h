#pragma once
#include "engine/values/profile.h"
#include <QColor>
#include <QString>

namespace halfstep::ui {

/// One colour for each kind of part, in both themes and on paper; none is a policy's.
QColor colourOf(values::PartKind kind);
/// As the legend says it: "convolution".
QString partKindText(values::PartKind kind);
/// "conv2d_1, backward weights"
QString partName(const values::ProfilePart& part);

} // namespace halfstep::ui
