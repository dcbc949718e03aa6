#pragma once
#include <QByteArray>
#include <QString>

namespace halfstep::ui {

/// An SVG document as an element for an HTML page: without its prolog and description, and with `prefix` before every
/// id and every reference to one, so that several can stand in one page. Coordinates are rounded to a hundredth of a
/// pixel. An empty array if the document is not well-formed.
QByteArray inlineSvg(const QByteArray& document, const QString& prefix);

} // namespace halfstep::ui
