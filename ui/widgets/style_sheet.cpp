#include "ui/widgets/theme.h"

namespace halfstep::ui {

namespace {

/// What Fusion and the palette cannot say: flat tabs, the one coloured button, cards, captions. Names stand for the
/// theme's colours.
constexpr auto kRules = R"(
* { font-family: "DejaVu Sans"; }
QFrame#card { background: @card; border: 1px solid @border; border-radius: 8px; }
QWidget#sidePanel { background: @card; border-right: 1px solid @border; }
QWidget#topBar { background: @card; border-bottom: 1px solid @border; }
QWidget#statusStrip { background: @card; border-top: 1px solid @border; }
QSplitter::handle { background: @border; }

QLabel[role="title"] { font-weight: 600; color: @text; }
QLabel[role="heading"] { font-size: 16px; font-weight: 600; color: @text; }
QLabel[role="caption"] { color: @muted; }
QLabel[role="value"] { font-size: 22px; font-weight: 600; color: @text; }
QLabel[role="danger"] { color: @danger; }
QLabel[role="warning"] { color: @warning; }
QLabel[role="success"] { color: @success; }

QTabBar#pageTabs { background: transparent; }
QTabBar#pageTabs::tab { padding: 8px 16px; margin: 4px 4px; color: @muted; background: transparent;
                        border: 1px solid transparent; border-radius: 6px; }
QTabBar#pageTabs::tab:hover { background: @shade; color: @text; }
QTabBar#pageTabs::tab:selected { background: @shade; color: @text; font-weight: 600; }
QTabBar#pageTabs::tab:focus { border: 1px solid @accent; }

QPushButton { padding: 4px 16px; min-height: 22px; border: 1px solid @border; border-radius: 6px;
              background: @button; color: @text; }
QPushButton:hover { background: @shade; }
QPushButton:pressed { background: @border; }
QPushButton:focus { border: 2px solid @accent; padding: 3px 15px; }
QPushButton:disabled { color: @muted; background: @window; }
QPushButton[compact="true"] { padding: 2px 8px; }
QPushButton[compact="true"]:focus { padding: 1px 7px; }
QPushButton[primary="true"] { background: @accent; color: @accentText; border: 1px solid @accent; font-weight: 600; }
QPushButton[primary="true"]:hover { background: @accentHover; }
QPushButton[primary="true"]:focus { border: 2px solid @text; }
QPushButton[primary="true"]:disabled { background: @shade; color: @muted; border: 1px solid @border; }

QToolButton { padding: 4px; border: 1px solid transparent; border-radius: 6px; background: transparent;
              color: @text; }
QToolButton:hover { background: @shade; }
QToolButton:checked { background: @shade; }
QToolButton:focus { border: 1px solid @accent; }
QToolButton::menu-indicator { image: none; }

QLineEdit, QSpinBox, QComboBox { min-height: 26px; padding: 0px 8px; border: 1px solid @edge; border-radius: 6px;
                                 background: @field; color: @text; selection-background-color: @accent;
                                 selection-color: @accentText; }
QLineEdit:focus, QSpinBox:focus, QComboBox:focus { border: 2px solid @accent; padding: 0px 7px; min-height: 24px; }
QComboBox QLineEdit, QComboBox QLineEdit:focus, QSpinBox QLineEdit { border: none; padding: 0px; min-height: 20px; }
QComboBox { padding: 0px 0px 0px 8px; }
QComboBox:focus { padding: 0px 0px 0px 7px; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url(:/icons/down-@kind.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @card; border: 1px solid @border; color: @text;
                              selection-background-color: @accent; selection-color: @accentText; }
QSpinBox::up-button, QSpinBox::down-button { border: none; width: 22px; background: transparent; }
QSpinBox::up-arrow { image: url(:/icons/up-@kind.svg); width: 10px; height: 10px; }
QSpinBox::down-arrow { image: url(:/icons/down-@kind.svg); width: 10px; height: 10px; }
QToolButton#disclosure { padding: 4px 8px 4px 0px; background: transparent; }

QRadioButton, QCheckBox { spacing: 8px; border: 1px solid transparent; border-radius: 4px; }
QRadioButton:focus, QCheckBox:focus { border: 1px solid @accent; }
QRadioButton:disabled, QCheckBox:disabled { color: @muted; }
QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid @edge; border-radius: 8px; background: @field; }
QRadioButton::indicator:checked { border: 5px solid @accent; width: 6px; height: 6px; background: @accentText; }
QRadioButton::indicator:disabled { background: @shade; border-color: @border; }
QCheckBox::indicator, QTableView::indicator { width: 14px; height: 14px; border: 1px solid @edge; border-radius: 4px;
                                              background: @field; }
QCheckBox::indicator:checked, QTableView::indicator:checked { border: 1px solid @accent; background: @accent;
                                                              image: url(:/icons/check-@kind.svg); }

QScrollBar:vertical { width: 12px; background: transparent; margin: 0px; }
QScrollBar:horizontal { height: 12px; background: transparent; margin: 0px; }
QScrollBar::handle { background: @edge; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QToolTip { background: @card; color: @text; border: 1px solid @border; padding: 4px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: @border; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 2px; }
QSlider::sub-page:horizontal:disabled { background: @border; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -6px 0px; border-radius: 8px; background: @accent;
                             border: 1px solid @card; }
QSlider::handle:horizontal:focus { border: 2px solid @text; width: 12px; height: 12px; }
QSlider::handle:horizontal:disabled { background: @edge; }
QProgressBar { border: none; border-radius: 4px; background: @border; max-height: 8px; min-height: 8px; }
QProgressBar::chunk { background: @accent; border-radius: 4px; }
QScrollArea { border: none; background: transparent; }
QScrollArea > QWidget > QWidget#scrolled { background: transparent; }

QTableView { background: @card; border: none; selection-background-color: @selected; selection-color: @text; }
QTableView::item { padding: 0px 5px; border: 0px; }
QTableView[compact="true"]::item { padding: 0px 1px; }
QHeaderView { background: @card; }
QHeaderView::section { padding: 4px 8px; border: none; border-bottom: 1px solid @border; background: @card;
                       color: @muted; }
QHeaderView::up-arrow, QHeaderView::down-arrow { subcontrol-origin: padding; subcontrol-position: top center;
                                                 top: 3px; width: 8px; height: 6px; }

QFrame#banner { border-radius: 6px; border: 1px solid @border; background: @shade; }
QFrame#banner[kind="error"] { border: 1px solid @danger; }
QFrame#banner[kind="warning"] { border: 1px solid @warning; }
QFrame#banner[kind="success"] { border: 1px solid @success; }
)";

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto channel = [share](int x, int y) { return qRound(x * share + y * (1 - share)); };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

} // namespace

QString styleSheetFor(const Theme& theme) {
    const bool dark = theme.kind == ThemeKind::Dark;
    const std::pair<const char*, QColor> names[]{
        // Longer names first: "@accentText" begins with "@accent".
        {"@accentHover", dark ? theme.accent.lighter(112) : theme.accent.lighter(115)},
        {"@accentText", theme.accentText},
        {"@accent", theme.accent},
        {"@window", theme.window},
        {"@card", theme.card},
        {"@button", dark ? theme.field : theme.card},
        {"@border", theme.border},
        {"@text", theme.text},
        {"@muted", theme.mutedText},
        {"@selected", mixed(theme.accent, theme.card, dark ? 0.28 : 0.16)}, // marks stay told apart on it
        {"@edge", mixed(theme.mutedText, theme.card, 0.65)}, // edges of what one can use stand out by 3 to 1
        {"@success", theme.success},
        {"@warning", theme.warning},
        {"@danger", theme.danger},
        {"@shade", theme.shade}};
    QString sheet = QString::fromLatin1(kRules);
    sheet.replace(QLatin1String("@kind"), dark ? QLatin1String("dark") : QLatin1String("light"));
    for (const auto& [name, colour] : names) {
        sheet.replace(QLatin1String(name), colour.name());
    }
    return sheet;
}

} // namespace halfstep::ui
