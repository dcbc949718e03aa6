#pragma once
#include <QDialog>
#include <QString>
#include <vector>

namespace halfstep::ui {

struct ShortcutLine {
    QString keys; ///< "Ctrl+Return"
    QString what; ///< "Start the experiment"
};

/// What every key does. Not modal: it may stay open beside a run.
class ShortcutList : public QDialog {
    Q_OBJECT

public:
    ShortcutList(const std::vector<ShortcutLine>& lines, QWidget* parent);
};

} // namespace halfstep::ui
