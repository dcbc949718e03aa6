#pragma once

namespace halfstep::app {

/// The window; returns the program's exit code. Options: --screenshots DIR saves pictures of the pages during real
/// runs and quits; --help.
int runWindow(int argc, char** argv);

} // namespace halfstep::app
