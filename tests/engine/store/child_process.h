#pragma once
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

namespace halfstep::store {

/// Runs `work` in a process of its own, which then ends at once without any clean-up, as a killed one does. Returns
/// its exit code, or -1 if it died otherwise.
inline int inChildProcess(const std::function<int()>& work) {
    const pid_t child = fork();
    if (child == 0) {
        _exit(work());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace halfstep::store
