#pragma once
#include "ui/charts/chart_panel.h"
#include "ui/charts/exponent_drawing.h"
#include <optional>

namespace halfstep::ui {

/// A histogram of binary exponents over the range of a number format. CSV columns: exponent, count, share (0 to 1),
/// and under the format's name what it makes of these elements: zero, subnormal, normal or overflow.
///
/// Wheel zooms at the mouse, double click or 0 resets, + and - zoom by keyboard, left and right read bar by bar.
class ExponentChart : public ChartPanel {
    Q_OBJECT

public:
    ExponentChart(const QString& title, QSettings* settings, QWidget* parent = nullptr);
    ~ExponentChart() override;

    void setBars(std::optional<ExponentBars> bars);
    const std::optional<ExponentBars>& bars() const { return m_bars; }

    bool isEmpty() const override { return !m_bars; }
    std::unique_ptr<QChart> drawing(const Theme& theme) const override;
    QString csv() const override;

public slots:
    void resetZoom() override;

protected:
    void themeChanged() override;
    void fillMenu(QMenu& menu) override;

private:
    void zoom(double factor, const QPointF& at);
    void readAt(const QPointF& at);
    void readNext(int direction);
    void showReading(std::optional<int> exponent);

    std::optional<ExponentBars> m_bars;
    std::optional<Range> m_zoom;  ///< of x; empty: everything
    std::optional<int> m_reading; ///< an exponent
    std::unique_ptr<ExponentDrawing> m_drawing;
};

} // namespace halfstep::ui
