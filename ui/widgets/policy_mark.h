#pragma once
#include "engine/precision/policy.h"
#include <QIcon>

namespace halfstep::ui {

/// The policy's marker in its colour, for tables and lists.
QIcon policyIcon(precision::Policy policy);

} // namespace halfstep::ui
