#pragma once
#include "engine/values/sweep.h"
#include <QString>
#include <functional>
#include <string>
#include <vector>

namespace halfstep::ui {

/// A kind of file that a sweep can be written as.
struct SweepExport {
    QString filter; ///< of the file dialog: "Cells, CSV (*.csv)"
    QString suffix; ///< "csv"
    std::function<std::string(const values::Sweep&)> text;
    bool hasCharts = false; ///< then `text` draws, and is the window's thread's
};

/// All of them, the first one offered. A new kind of file is one more entry here.
const std::vector<SweepExport>& sweepExports();
/// The one that a file's ending names, or the first.
const SweepExport& sweepExportFor(const QString& file);

} // namespace halfstep::ui
