#include "ui/bridge/run_failure.h"
#include "engine/tensor/error.h"
#include <new>

namespace halfstep::ui {

RunFailure failureOfCurrentException(const QString& stopped) {
    try {
        throw;
    } catch (const Cancelled&) {
        return {stopped, {}, true};
    } catch (const ConfigError& error) {
        return {QString::fromUtf8(error.what()), QString::fromStdString(error.field()), false};
    } catch (const std::bad_alloc&) {
        return {
            TrainingSession::tr("The memory of this machine is used up: choose a smaller batch or smaller images, "
                                "and try again."),
            QStringLiteral("batch_size"), false};
    } catch (const std::exception& error) {
        return {QString::fromUtf8(error.what()), {}, false};
    }
}

} // namespace halfstep::ui
