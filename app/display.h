#pragma once

namespace halfstep::app {

/// True if Qt can open a window: there is a display (X11 or Wayland), or the user chose a platform (QT_QPA_PLATFORM,
/// -platform). To be asked before QApplication is made, which ends the program where there is none.
bool hasDisplay(int argc, const char* const* argv);

} // namespace halfstep::app
