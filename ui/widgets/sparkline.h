#pragma once
#include <QWidget>
#include <vector>

namespace halfstep::ui {

/// A word-sized line without axes: the last values at a glance. Not finite values are gaps.
class Sparkline : public QWidget {
    Q_OBJECT

public:
    explicit Sparkline(QWidget* parent = nullptr);
    void setValues(std::vector<double> values);
    QSize sizeHint() const override { return {96, 18}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<double> m_values;
};

} // namespace halfstep::ui
