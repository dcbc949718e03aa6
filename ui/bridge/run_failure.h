#pragma once
#include "ui/bridge/training_session.h"
#include <QString>

namespace halfstep::ui {

/// The exception that is being handled, as a value: to be called from a catch clause. `stopped` is the sentence for
/// work that the user stopped.
RunFailure failureOfCurrentException(const QString& stopped);

} // namespace halfstep::ui
