#include "ui/report/drawn_panel.h"
#include "ui/report/inline_svg.h"

namespace halfstep::ui {
namespace {
constexpr QSize kDrawingSize{640, 400};
} // namespace

report::Drawing drawnPanel(const ChartPanel& panel, const QString& id) {
    return {.title = panel.title().toStdString(),
            .svg = inlineSvg(svgOf(panel, kDrawingSize), id + QLatin1Char('-')).toStdString()};
}

} // namespace halfstep::ui
