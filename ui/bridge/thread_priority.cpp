#include "ui/bridge/thread_priority.h"
#include <sys/resource.h>
#include <unistd.h>

namespace halfstep::ui {

void lowerPriorityOfThisThread() {
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 5);
}

} // namespace halfstep::ui
