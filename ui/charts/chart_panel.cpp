#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_view.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/save_dialog.h"
#include <QChart>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace halfstep::ui {

ChartPanel::ChartPanel(const QString& title, QSettings* settings, QWidget* parent)
    : Card(title, parent),
      m_theme(themeFor(ThemeKind::Light)),
      m_settings(settings),
      m_exportName(title.toLower().replace(QLatin1String(" / "), QLatin1String("_per_")).replace(' ', '_')),
      m_view(new ChartView),
      m_reading(new QLabel),
      m_empty(new QLabel(tr("No numbers yet"))),
      m_banner(new Banner),
      m_menuButton(new QToolButton),
      m_menu(new QMenu(this)) {
    m_reading->setProperty("role", "caption");
    m_reading->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_reading->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // its text never moves the card
    m_reading->setMinimumHeight(3 * kGrid);
    header()->addWidget(m_reading, 100);
    m_menuButton->setAccessibleName(tr("Menu of the chart “%1”").arg(title));
    m_menuButton->setToolTip(tr("Export the chart or its numbers, hide curves"));
    m_menuButton->setPopupMode(QToolButton::InstantPopup);
    m_menuButton->setMenu(m_menu);
    header()->addWidget(m_menuButton);
    connect(m_menu, &QMenu::aboutToShow, this, &ChartPanel::buildMenu);

    m_view->setAccessibleName(tr("Chart “%1”").arg(title));
    m_view->setAccessibleDescription(
        tr("Left and right read the points, plus and minus zoom, 0 shows everything, Ctrl+E exports."));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setProperty("role", "caption");
    m_empty->setWordWrap(true);
    auto* stack = new QStackedLayout;
    stack->addWidget(m_view);
    stack->addWidget(m_empty);
    content()->addWidget(m_banner);
    content()->addLayout(stack, 1);
}

ChartPanel::~ChartPanel() = default;

void ChartPanel::setTheme(const Theme& theme) {
    m_theme = theme;
    m_menuButton->setIcon(icon(QStringLiteral("menu"), theme.mutedText));
    themeChanged();
}

void ChartPanel::setEmptyText(const QString& text) {
    m_empty->setText(text);
}

QString ChartPanel::reading() const {
    return m_reading->text();
}

void ChartPanel::setReading(const QString& text) {
    if (m_reading->text() != text) {
        m_reading->setText(text);
        m_reading->setToolTip(text);
    }
}

void ChartPanel::showEmptyText(bool empty) {
    m_view->setVisible(!empty);
    m_empty->setVisible(empty);
}

void ChartPanel::buildMenu() {
    m_menu->clear();
    m_menu->addAction(tr("Export the chart…"), this, &ChartPanel::askAndExport)->setEnabled(!isEmpty());
    m_menu->addAction(tr("Show everything (0)"), this, &ChartPanel::resetZoom);
    m_menu->addSeparator();
    fillMenu(*m_menu);
}

void ChartPanel::askAndExport() {
    if (isEmpty()) {
        m_banner->showMessage(Banner::Kind::Information,
                              tr("This chart has no numbers yet: export it once there are some."));
        return;
    }
    askWhereToSave(this,
                   {.title = tr("Export “%1”").arg(title()),
                    .name = m_exportName,
                    .kinds = {{tr("Picture, PNG (*.png)"), QStringLiteral("png")},
                              {tr("Drawing, SVG (*.svg)"), QStringLiteral("svg")},
                              {tr("Page, PDF (*.pdf)"), QStringLiteral("pdf")},
                              {tr("Numbers, CSV (*.csv)"), QStringLiteral("csv")}},
                    .settings = m_settings},
                   [this](const QString& file) {
                       const QString problem = exportChart(*this, file);
                       if (problem.isEmpty()) {
                           m_banner->showMessage(Banner::Kind::Success,
                                                 tr("Written to “%1”.").arg(QDir::toNativeSeparators(file)));
                       } else {
                           m_banner->showMessage(Banner::Kind::Error, problem);
                       }
                   });
}

} // namespace halfstep::ui
