#include "app/display.h"
#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace halfstep::app {

bool hasDisplay(int argc, const char* const* argv) {
    const auto isSet = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM") ||
           std::any_of(argv, argv + argc, [](std::string_view argument) { return argument == "-platform"; });
}

} // namespace halfstep::app
