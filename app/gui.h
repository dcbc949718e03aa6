#pragma once

namespace halfstep::app {

/// The window; returns the program's exit code. Options: --screenshots DIR saves pictures of the pages during real
/// runs and quits; --help.
int runWindow(int argc, char** argv);

/// What makes window and charts look the same on every machine: one style, one font. Needs the QApplication.
void pinLooks();

} // namespace halfstep::app
