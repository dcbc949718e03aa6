#pragma once
#include "engine/report/drawing.h"

namespace halfstep::app {

/// True if the arguments name no command: then the window is meant. Options of the program (--cache-dir, --history),
/// the window's own (--screenshots) and Qt's, which begin with one dash, may stand there.
bool wantsWindow(int argc, const char* const* argv);

/// Takes --cache-dir and --history out of the arguments and puts them where train::userPlaces finds them
/// (HALFSTEP_CACHE, HALFSTEP_HISTORY). Returns the new count.
int passPlacesToWindow(int argc, char** argv);

/// The whole command line: reads the arguments, does what they ask for, and returns the exit code (exit_code.h).
/// Results go to standard output, everything else to standard error. `charts` draws what a report shows.
int runCommandLine(int argc, const char* const* argv, const report::ChartDrawers& charts = {});

} // namespace halfstep::app
