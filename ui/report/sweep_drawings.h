#pragma once
#include "engine/report/drawing.h"

namespace halfstep::ui {

/// Grouped bars of ms per step with intervals; ms per step, images per second and memory over the batch size.
/// `index` tells the drawings of several sweeps apart.
std::vector<report::Drawing> sweepDrawings(const values::Sweep& sweep, const report::SweepFigures& figures,
                                           std::size_t index);

} // namespace halfstep::ui
