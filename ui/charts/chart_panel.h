#pragma once
#include "ui/widgets/card.h"
#include "ui/widgets/theme.h"
#include <QByteArray>
#include <QSize>
#include <QString>
#include <memory>

class QAction;
class QChart;
class QLabel;
class QMenu;
class QSettings;
class QToolButton;

namespace halfstep::ui {

class Banner;
class ChartView;

/// A card with one chart: title, reading of the point under the mouse, menu (export, reset, show or hide each curve).
///
/// A chart is a value drawn on demand: what the window shows and what is exported are two drawings of the same data,
/// the export always in exportTheme(). Subclasses: CurveChart, BarChart.
class ChartPanel : public Card {
    Q_OBJECT

public:
    /// The settings remember the folder of the last export; they may be null.
    ChartPanel(const QString& title, QSettings* settings, QWidget* parent = nullptr);
    ~ChartPanel() override;

    void setTheme(const Theme& theme);
    const Theme& theme() const { return m_theme; }
    /// What stands right of the title: the point under the mouse, or a note.
    QString reading() const;
    /// Shown in the middle while there are no data.
    void setEmptyText(const QString& text);

    virtual bool isEmpty() const = 0;
    /// A fresh drawing of the data in `theme`, for an export.
    virtual std::unique_ptr<QChart> drawing(const Theme& theme) const = 0;
    /// The numbers behind the chart: a header line, then rows, lines ended by \n, the same bytes in every locale.
    virtual QString csv() const = 0;

    /// Asks for a file (its ending decides: .png, .svg, .pdf, .csv) and exports to it. Trouble is a sentence here.
    void askAndExport();
    /// The name the file dialog offers, without its ending: "loss".
    void setExportName(const QString& name) { m_exportName = name; }

public slots:
    virtual void resetZoom() = 0;

protected:
    virtual void themeChanged() = 0;
    /// Adds the actions of this kind of chart when the menu is about to open.
    virtual void fillMenu(QMenu& menu) = 0;
    ChartView* view() const { return m_view; }
    QSettings* settings() const { return m_settings; } ///< may be null
    /// Right of the title, in the muted colour: the value under the mouse or a note.
    void setReading(const QString& text);
    void showEmptyText(bool empty);

private:
    void buildMenu();

    Theme m_theme;
    QSettings* m_settings;
    QString m_exportName;
    ChartView* m_view;
    QLabel* m_reading;
    QLabel* m_empty;
    Banner* m_banner;
    QToolButton* m_menuButton;
    QMenu* m_menu;
};

/// Size of exported drawings, in pixels at 96 dpi; a PNG has twice as many each way.
inline constexpr QSize kExportSize{960, 600};

/// The chart as an SVG document of this size, in exportTheme(): smaller ones have larger text beside the curves.
QByteArray svgOf(const ChartPanel& panel, const QSize& size = kExportSize);

/// Writes the chart to `file`: PNG (2x), SVG, PDF or CSV by its ending, under a temporary name that is then renamed.
/// Returns an empty text, or the sentence that says why it could not.
QString exportChart(const ChartPanel& panel, const QString& file);

} // namespace halfstep::ui
