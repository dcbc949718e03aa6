#pragma once
#include <QString>
#include <functional>
#include <vector>

class QSettings;
class QWidget;

namespace halfstep::ui {

/// A kind of file in the dialog.
struct FileKind {
    QString filter; ///< "Cells, CSV (*.csv)"
    QString suffix; ///< "csv"
};

/// What is to be asked.
struct SaveQuestion {
    QString title;
    QString name;                  ///< that is offered, without its ending
    std::vector<FileKind> kinds;   ///< the first one is offered
    QSettings* settings = nullptr; ///< remember the folder; may be null
    QString objectName{};          ///< of the dialog, for tests
};

/// Asks where to save, without holding up what runs: returns at once, and calls `save` with the file if one is
/// chosen. Nothing is called once `asker` is gone; the dialog belongs to its window.
void askWhereToSave(QWidget* asker, const SaveQuestion& question, std::function<void(const QString& file)> save);

} // namespace halfstep::ui
