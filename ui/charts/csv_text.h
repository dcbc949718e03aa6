#pragma once
#include <QString>

namespace halfstep::ui {

/// A field of a CSV file: in quotes if it holds a comma, a quote or a line end (RFC 4180).
QString csvField(const QString& text);

} // namespace halfstep::ui
