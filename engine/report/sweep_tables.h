#pragma once
#include "engine/analysis/sweep_figures.h"
#include "engine/report/table.h"
#include "engine/values/sweep.h"
#include <string>
#include <vector>

/// A sweep as tables. `figures` is analysis::figuresOf(sweep), made once for all of them.
namespace halfstep::report {
using SweepFigures = std::vector<analysis::CellFigures>;

/// As the article prints them: a row a batch size, a column a policy, in each ms per step with its 95 % interval and
/// the speed-up in a word, "OOM", or another status. One table for each device and instruction set, in their order.
std::vector<Table> gridTables(const values::Sweep& sweep, const SweepFigures& figures);

/// A row a cell with all its figures; what is to be known of a cell that did not run or cannot be trusted is a note.
Table cellsTable(const values::Sweep& sweep, const SweepFigures& figures);

/// What it was measured on and with: machine, programs, data, settings. A row a fact.
Table environmentTable(const values::Sweep& sweep);

/// "360 timed steps; 60 warm-up steps, 12.3 s together, are left out."
std::string warmUpSentence(const SweepFigures& figures);

/// For every cell that has one: "mixed_float16, batch 64, cpu auto: " and its note.
std::vector<std::string> cellNotes(const values::Sweep& sweep, const SweepFigures& figures);

/// "Sweep 3" or "Sweep 3: " and its name.
std::string titleOf(const values::Sweep& sweep);

/// All of these tables in a file of their own, under the sweep's title.
std::string sweepMarkdown(const values::Sweep& sweep);
std::string sweepLatex(const values::Sweep& sweep);

} // namespace halfstep::report
