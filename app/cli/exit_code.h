#pragma once

namespace halfstep::app {

/// What the process returns; a contract with scripts.
enum ExitCode : int {
    kDone = 0,
    kFailed = 1, ///< also a run that diverged
    kWrongArguments = 2,
    kUnusableData = 3,
    kOutOfMemory = 4,
    kInterrupted = 130, ///< by Ctrl-C or SIGTERM, after writing what there was
};

} // namespace halfstep::app
