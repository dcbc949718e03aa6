#pragma once
#include <QString>

namespace halfstep::app {

/// Trains each policy for a moment on the sample (or on what HALFSTEP_SCREENSHOT_DATA names) in a window of 1280 x
/// 800, and saves its pages, light and dark, as PNG into `folder`. History and settings are its own, and are thrown
/// away. Returns the exit code.
int takeScreenshots(const QString& folder);

} // namespace halfstep::app
