#pragma once
#include "engine/values/experiment_config.h"
#include <QString>
#include <cstdint>
#include <initializer_list>
#include <optional>

class QComboBox;
class QSpinBox;

namespace halfstep::ui {

// The editors that the experiment's settings share, and what people type into them. Scrolling the form changes none
// of them: the wheel is theirs only while they have the focus.

/// Long texts are cut, the form does not grow.
QComboBox* choiceBox();
/// A choice box of numbers in which others can be typed.
QComboBox* numberChoice(std::initializer_list<int> offered);
QSpinBox* spinBox(int minimum, int maximum);

/// Nothing if it is no whole number.
std::optional<std::int64_t> readWhole(const QString& text);
/// readWhole() of an int's range.
std::optional<int> readInt(const QString& text);
/// A loss scale: readDecimal(), or a power of two as "2^15".
std::optional<double> readLossScale(const QString& text);

values::FieldProblem notANumber(const QString& field, const QString& text, const QString& example);

} // namespace halfstep::ui
