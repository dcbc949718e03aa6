#pragma once
#include "ui/widgets/theme.h"
#include <QWidget>

class QTabBar;
class QToolButton;

namespace halfstep::ui {

/// The upper edge of the window: its name, the pages as tabs, light or dark, and the list of shortcuts.
class TopBar : public QWidget {
    Q_OBJECT

public:
    explicit TopBar(QWidget* parent = nullptr);

    void addPage(const QString& name);
    int pages() const;
    QString pageName(int page) const;
    void setPage(int page);
    /// As a click on its button does.
    void toggleTheme();
    void setTheme(const Theme& theme);

signals:
    void pageChosen(int page);
    void themeToggled();
    void helpWanted();

private:
    QTabBar* m_tabs;
    QToolButton* m_themeButton;
    QToolButton* m_helpButton;
};

} // namespace halfstep::ui
