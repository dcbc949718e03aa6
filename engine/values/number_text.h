#pragma once
#include <string>

namespace halfstep::values {

/// The shortest text that reads back to the same double, always with a point, in every locale; "nan", "inf", "-inf".
std::string numberText(double value);

} // namespace halfstep::values
