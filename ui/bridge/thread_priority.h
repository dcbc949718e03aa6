#pragma once

namespace halfstep::ui {

/// The window's thread goes first. On Linux this holds for the calling thread and those that it starts later, which
/// are the workers of the back end.
void lowerPriorityOfThisThread();

} // namespace halfstep::ui
