#pragma once
#include "ui/widgets/theme.h"
#include <QString>

class QAbstractAxis;
class QChart;

namespace halfstep::ui {

/// Background, legend, fonts and margins that all our charts share. An empty title makes no title.
void styleChart(QChart& chart, const Theme& theme, const QString& title);
void styleAxis(QAbstractAxis& axis, const Theme& theme);

} // namespace halfstep::ui
