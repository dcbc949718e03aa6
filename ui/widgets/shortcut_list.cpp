#include "ui/widgets/shortcut_list.h"
#include "ui/widgets/theme.h"
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace halfstep::ui {

ShortcutList::ShortcutList(const std::vector<ShortcutLine>& lines, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Shortcuts"));
    setModal(false);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(3 * kGrid);
    grid->setVerticalSpacing(kGrid);
    int row = 0;
    for (const ShortcutLine& line : lines) {
        auto* keys = new QLabel(line.keys);
        keys->setProperty("role", "title");
        grid->addWidget(keys, row, 0);
        grid->addWidget(new QLabel(line.what), row, 1);
        ++row;
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addLayout(grid);
    layout->addWidget(buttons);
}

} // namespace halfstep::ui
