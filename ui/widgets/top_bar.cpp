#include "ui/widgets/top_bar.h"
#include "ui/widgets/icon.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QTabBar>
#include <QToolButton>

namespace halfstep::ui {

TopBar::TopBar(QWidget* parent)
    : QWidget(parent),
      m_tabs(new QTabBar),
      m_themeButton(new QToolButton),
      m_helpButton(new QToolButton) {
    setObjectName(QStringLiteral("topBar"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(6 * kGrid);
    auto* mark = new QLabel;
    mark->setPixmap(programIcon().pixmap(QSize(24, 24), devicePixelRatioF()));
    auto* name = new QLabel(QStringLiteral("Halfstep"));
    name->setProperty("role", "heading");
    m_tabs->setObjectName(QStringLiteral("pageTabs"));
    m_tabs->setAccessibleName(tr("Pages"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setFocusPolicy(Qt::TabFocus); // a click needs no frame
    m_themeButton->setAccessibleName(tr("Light or dark"));
    m_themeButton->setToolTip(tr("Light or dark (Ctrl+T)"));
    m_helpButton->setAccessibleName(tr("Shortcuts"));
    m_helpButton->setToolTip(tr("What every key does (F1)"));
    connect(m_tabs, &QTabBar::currentChanged, this, &TopBar::pageChosen);
    connect(m_themeButton, &QToolButton::clicked, this, &TopBar::themeToggled);
    connect(m_helpButton, &QToolButton::clicked, this, &TopBar::helpWanted);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 0, 2 * kGrid, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(mark);
    layout->addWidget(name);
    layout->addSpacing(2 * kGrid);
    layout->addWidget(m_tabs);
    layout->addStretch();
    layout->addWidget(m_themeButton);
    layout->addWidget(m_helpButton);
}

void TopBar::addPage(const QString& name) {
    m_tabs->addTab(name);
}

int TopBar::pages() const {
    return m_tabs->count();
}

QString TopBar::pageName(int page) const {
    return m_tabs->tabText(page);
}

void TopBar::setPage(int page) {
    m_tabs->setCurrentIndex(page);
}

void TopBar::toggleTheme() {
    m_themeButton->click();
}

void TopBar::setTheme(const Theme& theme) {
    m_themeButton->setIcon(
        icon(theme.kind == ThemeKind::Dark ? QStringLiteral("sun") : QStringLiteral("moon"), theme.mutedText));
    m_helpButton->setIcon(icon(QStringLiteral("help"), theme.mutedText));
}

} // namespace halfstep::ui
