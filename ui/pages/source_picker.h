#pragma once
#include <QColor>
#include <QString>
#include <QStringList>
#include <QWidget>

class QComboBox;
class QSettings;
class QToolButton;

namespace halfstep::ui {

/// Where the photographs come from: the drawn sample, a set used before, or a folder or archive to be picked.
class SourcePicker : public QWidget {
    Q_OBJECT

public:
    /// The settings remember the sets used before and the folder of the last dialog; they may be null.
    explicit SourcePicker(QSettings* settings, QWidget* parent = nullptr);

    /// "sample", a folder, a .tgz
    QString source() const;
    /// Chooses a source and puts it on top of those used before. Emits sourceChanged() if it is another one.
    void setSource(const QString& source);
    void setIconColour(const QColor& colour);

    void pickFolder();
    void pickArchive();

signals:
    void sourceChanged(const QString& source);

private:
    void fill(const QString& chosen);
    void pick(const QString& title, bool folder);

    QSettings* m_settings;
    QStringList m_recent;
    QComboBox* m_sources;
    QToolButton* m_open;
};

/// True for what can be dropped on the window: a folder, or a file named like an archive.
bool looksLikeSource(const QString& path);

} // namespace halfstep::ui
