#pragma once
#include "engine/precision/number_format.h"
#include "engine/values/numerics.h"
#include <QString>
#include <utility>

namespace halfstep::ui {

/// "conv2d_1 · kernel gradient"
QString tensorTitle(const values::TensorNumerics& tensor);

/// "float8_e4m3"
QString formatName(const precision::NumberFormat& format);

/// k of the power of two that is nearest to a loss scale.
int scaleExponentOf(double lossScale);

/// The largest k that a loss scale of 2^k is tried with, for gradients that carry `lossScale`.
int largestScaleExponent(double lossScale);

/// What `format` makes of a tensor of a step whose gradients carry `lossScale`; of a gradient, if its loss scale were
/// 2^scaleExponent. One or two sentences for a person.
QString numericsSentence(const values::TensorNumerics& tensor, double lossScale,
                         const precision::NumberFormat& format, int scaleExponent);

/// Ends of an axis of exponents that holds a tensor under every loss scale that can be tried, and float16's limits.
std::pair<int, int> exponentAxis(const values::TensorNumerics& tensor, double lossScale);

} // namespace halfstep::ui
