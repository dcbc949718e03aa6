#include "ui/charts/chart_panel.h"
#include <QBuffer>
#include <QChart>
#include <QFileInfo>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace halfstep::ui {

namespace {

/// A fresh drawing at the size of exports, without a widget: one that is never shown would not be laid out.
class ExportScene {
public:
    explicit ExportScene(std::unique_ptr<QChart> chart, const QSize& size = kExportSize) : m_size(size) {
        chart->resize(size);
        chart->layout()->activate();
        m_scene.addItem(chart.release()); // the scene owns it
    }
    void paint(QPaintDevice& device, const QRectF& target) {
        QPainter painter(&device);
        painter.setRenderHint(QPainter::Antialiasing);
        m_scene.render(&painter, target, QRectF({0, 0}, QSizeF(m_size)));
    }

    const QSize& size() const { return m_size; }

private:
    QSize m_size;
    QGraphicsScene m_scene;
};

void writePng(ExportScene& scene, QIODevice& file) {
    QImage image(kExportSize * 2, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    image.fill(Qt::white);
    scene.paint(image, QRectF({0, 0}, QSizeF(kExportSize)));
    image.save(&file, "PNG");
}

void writeSvg(ExportScene& scene, QIODevice& file, const QString& title) {
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    svg.setResolution(96); // 72, the default, makes text a quarter too small
    svg.setSize(scene.size());
    svg.setViewBox(QRect({0, 0}, scene.size()));
    svg.setTitle(title);
    scene.paint(svg, QRectF({0, 0}, QSizeF(scene.size())));
}

void writePdf(ExportScene& scene, QIODevice& file, const QString& title) {
    QPdfWriter pdf(&file);
    pdf.setResolution(300);
    pdf.setTitle(title);
    pdf.setPageSize(QPageSize(QSizeF(kExportSize) * 72.0 / 96.0, QPageSize::Point, {}, QPageSize::ExactMatch));
    pdf.setPageMargins({});
    scene.paint(pdf, QRectF(0, 0, pdf.width(), pdf.height()));
}

} // namespace

QByteArray svgOf(const ChartPanel& panel, const QSize& size) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    ExportScene scene(panel.drawing(exportTheme()), size);
    writeSvg(scene, buffer, panel.title());
    return buffer.data();
}

QString exportChart(const ChartPanel& panel, const QString& file) {
    const QString ending = QFileInfo(file).suffix().toLower();
    const bool known = ending == QLatin1String("png") || ending == QLatin1String("svg") ||
                       ending == QLatin1String("pdf") || ending == QLatin1String("csv");
    if (!known) {
        return ChartPanel::tr("The chart cannot be written as “%1”: end the file's name in .png, .svg, .pdf or .csv.")
            .arg(QFileInfo(file).fileName());
    }
    if (panel.isEmpty()) {
        return ChartPanel::tr("The chart “%1” has no numbers yet: export it once there are some.").arg(panel.title());
    }
    // Written under a temporary name and renamed: the file is whole or untouched.
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly)) {
        return ChartPanel::tr("“%1” could not be written (%2): choose another folder.").arg(file, out.errorString());
    }
    if (ending == QLatin1String("csv")) {
        out.write(panel.csv().toUtf8());
    } else {
        ExportScene scene(panel.drawing(exportTheme()));
        if (ending == QLatin1String("png")) {
            writePng(scene, out);
        } else if (ending == QLatin1String("svg")) {
            writeSvg(scene, out, panel.title());
        } else {
            writePdf(scene, out, panel.title());
        }
    }
    if (!out.isOpen() && !out.open(QIODevice::WriteOnly | QIODevice::Append)) {
        return ChartPanel::tr("“%1” could not be written (%2): choose another folder.").arg(file, out.errorString());
    }
    if (!out.commit()) {
        return ChartPanel::tr("“%1” could not be written (%2): choose another folder.").arg(file, out.errorString());
    }
    return {};
}

} // namespace halfstep::ui
