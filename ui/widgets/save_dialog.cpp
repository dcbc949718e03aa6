#include "ui/widgets/save_dialog.h"
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <algorithm>
#include <utility>

namespace halfstep::ui {
namespace {

constexpr auto kFolderKey = "export/folder";

} // namespace

void askWhereToSave(QWidget* asker, const SaveQuestion& question, std::function<void(const QString& file)> save) {
    QSettings* settings = question.settings;
    const QString folder = settings != nullptr
                               ? settings->value(QLatin1String(kFolderKey), QDir::homePath()).toString()
                               : QDir::homePath();
    auto* dialog = new QFileDialog(asker->window(), question.title, folder);
    dialog->setObjectName(question.objectName);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontUseNativeDialog); // the same everywhere, and open() does not block
    QStringList filters;
    for (const FileKind& kind : question.kinds) {
        filters << kind.filter;
    }
    dialog->setNameFilters(filters);
    const auto offer = [dialog, name = question.name](const FileKind& kind) {
        dialog->setDefaultSuffix(kind.suffix);
        dialog->selectFile(name + QLatin1Char('.') + kind.suffix);
    };
    offer(question.kinds.front());
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog,
                     [offer, kinds = question.kinds](const QString& filter) {
                         const auto kind = std::ranges::find(kinds, filter, &FileKind::filter);
                         if (kind != kinds.end()) {
                             offer(*kind);
                         }
                     });
    QObject::connect(dialog, &QFileDialog::fileSelected, asker,
                     [settings, save = std::move(save)](const QString& file) {
                         if (settings != nullptr) {
                             settings->setValue(QLatin1String(kFolderKey), QFileInfo(file).absolutePath());
                         }
                         save(file);
                     });
    dialog->open();
}

} // namespace halfstep::ui
