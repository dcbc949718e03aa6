#pragma once

namespace halfstep::backend::cpu {

/// Cores that this process may use: its affinity, lowered to a container's CPU quota. At least 1.
int usableCores();

} // namespace halfstep::backend::cpu
