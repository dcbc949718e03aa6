#pragma once
#include "engine/precision/number_format.h"
#include "engine/tensor/exponent_histogram.h"
#include "ui/charts/curve_drawing.h"
#include <QColor>
#include <QString>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

class QChart;
class QLineSeries;
class QValueAxis;

namespace halfstep::ui {

/// What a format makes of a number by its size.
enum class NumberRange { Zero, Subnormal, Normal, Overflow };
inline constexpr std::array kNumberRanges{NumberRange::Zero, NumberRange::Subnormal, NumberRange::Normal,
                                          NumberRange::Overflow};
/// Of numbers from 2^exponent to below 2^(exponent + 1), as analysis::sharesIn counts them.
NumberRange numberRangeOf(int exponent, const precision::NumberFormat& format);

/// How a tensor's elements spread over the binary exponents, over the range of a format.
struct ExponentBars {
    tensor::ExponentHistogram histogram{};
    std::int64_t elements = 0;
    int shift = 0;           ///< as if every element were multiplied by 2^shift first
    int from = -40, to = 20; ///< ends of the axis
    precision::NumberFormat format = precision::kFloat16;
    QColor colour{};
    QString caption{}; ///< the title of exports: what these numbers are

    /// Elements at an exponent, after the shift.
    std::int64_t count(int exponent) const;
    /// The same as a share of all elements, 0 to 1.
    double share(int exponent) const;
    /// Nothing if no element is finite and not 0; after the shift.
    std::optional<std::pair<int, int>> occupied() const;
};

/// Axes, the format's range in four shades with a legend, and the bars, on one empty chart that must outlive the
/// drawing. A bar stands between its exponent and the next, so that a format's limits are lines between bars.
class ExponentDrawing {
public:
    ExponentDrawing(QChart& chart, const ExponentBars& bars, const std::optional<Range>& zoom, const Theme& theme);

    Range shownX() const;
    /// Puts one bar into the colour of text, or none.
    void highlight(const std::optional<int>& exponent);

private:
    void addArea(QChart& chart, QLineSeries* top, const QString& name, const QColor& colour);

    const ExponentBars& m_bars;
    Theme m_theme;
    QValueAxis* m_x;
    QValueAxis* m_y;
    QLineSeries* m_highlight;
};

} // namespace halfstep::ui
