#pragma once
#include <QChartView>
#include <QPointF>

namespace halfstep::ui {

/// A chart view that tells what the user does and decides nothing: wheel, double click, movement and keys become
/// signals. No rubber band, no animation, no OpenGL.
class ChartView : public QChartView {
    Q_OBJECT

public:
    explicit ChartView(QWidget* parent = nullptr);
    QSize sizeHint() const override { return {400, 240}; }
    QSize minimumSizeHint() const override { return {240, 144}; }

signals:
    /// factor < 1 zooms in; `at` is a position in the chart's own coordinates.
    void zoomRequested(double factor, const QPointF& at);
    void resetRequested();
    void hovered(const QPointF& at);
    void hoverLeft();
    /// -1 and 1: the reading goes to the point before or after.
    void stepRequested(int direction);

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QPointF inChart(const QPointF& position) const;
};

} // namespace halfstep::ui
