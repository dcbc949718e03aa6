#pragma once
#include "engine/backend/devices.h"
#include "engine/train/experiment.h"
#include <vector>

class QSettings;

namespace halfstep::ui {

/// What the program passes to every page. The settings outlive the window; tests pass a file of their own.
struct AppContext {
    train::Places places;
    std::vector<backend::DeviceInfo> devices;
    QSettings* settings = nullptr; ///< never null in a running window
};

} // namespace halfstep::ui
