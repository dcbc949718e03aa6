#pragma once
#include "engine/values/profile.h"
#include "ui/charts/chart_panel.h"
#include <QPointF>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

namespace halfstep::ui {

class RooflineDrawing;

/// The roofline of the machine that made a profile, and one dot a layer and pass: how many operations it does a byte,
/// and how many a second. The larger a dot, the more of the step it takes. A ring marks the dot that is read.
/// CSV columns: layer, operation, flop_per_byte, gflops, roof_gflops, median_ms, bound.
class RooflineChart : public ChartPanel {
    Q_OBJECT

public:
    RooflineChart(const QString& title, QSettings* settings, QWidget* parent = nullptr);
    ~RooflineChart() override;

    /// Parts without operations or bytes have no dot.
    void setProfile(std::optional<values::StepProfile> profile);
    /// Reads the dot of a part of the profile, by its index there; none if it has no dot.
    void readPart(std::optional<std::size_t> part);
    std::optional<std::size_t> readPart() const { return m_reading; }

    bool isEmpty() const override { return !m_profile; }
    std::unique_ptr<QChart> drawing(const Theme& theme) const override;
    QString csv() const override;

signals:
    /// The dot under the mouse, or of the arrow keys, is another part's.
    void partRead(std::optional<std::size_t> part);

public slots:
    void resetZoom() override {}

protected:
    void themeChanged() override;
    void fillMenu(QMenu&) override {}

private:
    void readAt(const QPointF& at);
    void readNext(int direction);
    void show(std::optional<std::size_t> part);
    std::vector<std::size_t> dots() const;
    QStringList readingOf(const values::ProfilePart& part) const;

    std::optional<values::StepProfile> m_profile;
    std::optional<std::size_t> m_reading; ///< index of a part
    std::unique_ptr<RooflineDrawing> m_drawing;
};

} // namespace halfstep::ui
