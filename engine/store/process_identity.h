#pragma once
#include <string>
#include <string_view>
#include <sys/types.h>

namespace halfstep::store {

/// Names one process for ever: its id, its start time and the boot it belongs to, since ids are used again.
/// "1234 8812345 3e1c6a0e-..."; empty if there is no such process (a zombie is none).
std::string identityOf(pid_t process);
/// Of the calling process.
std::string ownIdentity();
/// Whether the process that `identity` names still runs.
bool isAlive(std::string_view identity);

} // namespace halfstep::store
