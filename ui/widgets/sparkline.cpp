#include "ui/widgets/sparkline.h"
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>

namespace halfstep::ui {

Sparkline::Sparkline(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void Sparkline::setValues(std::vector<double> values) {
    if (values != m_values) {
        m_values = std::move(values);
        update();
    }
}

void Sparkline::paintEvent(QPaintEvent*) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double value : m_values) {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    if (m_values.size() < 2 || !(low <= high)) {
        return;
    }
    // A calm series is not blown up to look wild: the line's height stands for at least a tenth of its value.
    const double range = std::max({high - low, std::abs(high) / 10, std::numeric_limits<double>::min()});
    const double middle = (low + high) / 2;
    const double stepX = (width() - 2.0) / static_cast<double>(m_values.size() - 1);
    QPainterPath path;
    bool drawing = false;
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        if (!std::isfinite(m_values[i])) {
            drawing = false;
            continue;
        }
        const QPointF point(1 + stepX * static_cast<double>(i),
                            height() / 2.0 - (m_values[i] - middle) / range * (height() - 4));
        drawing ? path.lineTo(point) : path.moveTo(point);
        drawing = true;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::PlaceholderText), 1.2));
    painter.drawPath(path);
}

} // namespace halfstep::ui
