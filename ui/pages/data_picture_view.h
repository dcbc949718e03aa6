#pragma once
#include "ui/widgets/theme.h"
#include <QImage>
#include <QPoint>
#include <QString>
#include <QWidget>
#include <optional>

namespace halfstep::ui {

/// A picture in the middle of its room. Crisp pictures are enlarged by whole device pixels only, so that each of
/// their pixels is an equal square; others are scaled smoothly to fit, to at most twice their own size.
///
/// In a crisp picture the mouse, or the arrow keys while it has the focus, point at a pixel: pixelPointed tells
/// which.
class DataPictureView : public QWidget {
    Q_OBJECT

public:
    enum class Scaling { Crisp, Smooth };

    explicit DataPictureView(Scaling scaling, QWidget* parent = nullptr);

    void setImage(const QImage& image);
    /// Shown while there is no image.
    void setMessage(const QString& text);
    void setTheme(const Theme& theme);
    std::optional<QPoint> pointedPixel() const { return m_pixel; }
    /// Where the picture is drawn, in logical pixels.
    QRectF pictureRect() const;

    QSize sizeHint() const override { return {320, 320}; }

signals:
    /// Nothing: no longer at any.
    void pixelPointed(std::optional<QPoint> pixel);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void point(std::optional<QPoint> pixel);

    const Scaling m_scaling;
    QImage m_image;
    QString m_message;
    Theme m_theme = themeFor(ThemeKind::Light);
    std::optional<QPoint> m_pixel;
};

} // namespace halfstep::ui
