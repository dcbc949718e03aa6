#include "ui/pages/source_picker.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/theme.h"
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QSettings>
#include <QToolButton>
#include <algorithm>

namespace halfstep::ui {

namespace {

constexpr auto kRecentKey = "data/recent";
constexpr auto kFolderKey = "data/folder";
constexpr int kRecentCount = 8;
const QString kSample = QStringLiteral("sample");

} // namespace

bool looksLikeSource(const QString& path) {
    const QString name = path.toLower();
    return QFileInfo(path).isDir() || name.endsWith(QLatin1String(".tgz")) || name.endsWith(QLatin1String(".tar.gz"));
}

SourcePicker::SourcePicker(QSettings* settings, QWidget* parent)
    : QWidget(parent),
      m_settings(settings),
      m_sources(new QComboBox),
      m_open(new QToolButton) {
    m_sources->setAccessibleName(tr("Data source"));
    m_sources->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_sources->setMinimumContentsLength(4);
    m_open->setAccessibleName(tr("Open photographs"));
    m_open->setToolTip(tr("Open a folder with train and val, or a .tgz of one"));
    m_open->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_open);
    menu->addAction(tr("Open a &folder…"), this, &SourcePicker::pickFolder);
    menu->addAction(tr("Open an &archive…"), this, &SourcePicker::pickArchive);
    m_open->setMenu(menu);
    setFocusProxy(m_sources);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid / 2);
    layout->addWidget(m_sources, 1);
    layout->addWidget(m_open);
    if (m_settings != nullptr) {
        m_recent = m_settings->value(kRecentKey).toStringList();
    }
    fill(kSample);
    connect(m_sources, &QComboBox::currentIndexChanged, this, [this] { emit sourceChanged(source()); });
}

QString SourcePicker::source() const {
    return m_sources->currentData().toString();
}

void SourcePicker::setSource(const QString& source) {
    const QString before = this->source();
    if (source != kSample) {
        m_recent.removeAll(source);
        m_recent.prepend(source);
        m_recent = m_recent.mid(0, kRecentCount);
        if (m_settings != nullptr) {
            m_settings->setValue(kRecentKey, m_recent);
        }
    }
    {
        const QSignalBlocker quiet(m_sources);
        fill(source);
    }
    if (source != before) {
        emit sourceChanged(source);
    }
}

void SourcePicker::fill(const QString& chosen) {
    m_sources->clear();
    m_sources->addItem(tr("Drawn sample"), kSample);
    for (const QString& path : m_recent) {
        m_sources->addItem(QFileInfo(path).fileName(), path);
        m_sources->setItemData(m_sources->count() - 1, QDir::toNativeSeparators(path), Qt::ToolTipRole);
    }
    m_sources->setCurrentIndex(std::max(m_sources->findData(chosen), 0));
}

void SourcePicker::setIconColour(const QColor& colour) {
    m_open->setIcon(icon(QStringLiteral("folder"), colour));
}

void SourcePicker::pickFolder() {
    pick(tr("Choose a folder that holds train and val"), true);
}

void SourcePicker::pickArchive() {
    pick(tr("Choose an archive of photographs"), false);
}

void SourcePicker::pick(const QString& title, bool folder) {
    const QString start = m_settings != nullptr ? m_settings->value(kFolderKey).toString() : QString();
    auto* dialog = new QFileDialog(window(), title, start, folder ? QString() : tr("Archives (*.tgz *.tar.gz)"));
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    dialog->setOption(QFileDialog::ShowDirsOnly, folder);
    dialog->setOption(QFileDialog::DontUseNativeDialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (m_settings != nullptr) {
            m_settings->setValue(kFolderKey, QFileInfo(path).absolutePath());
        }
        setSource(path);
    });
    dialog->open(); // returns at once: training goes on and the window answers
}

} // namespace halfstep::ui
