#pragma once
#include <string>

namespace halfstep::store {

/// Now, as the history writes it: UTC, ISO 8601, "2026-12-01T12:00:00Z".
std::string utcNow();

} // namespace halfstep::store
