#include "ui/pages/data_source_panel.h"
#include "ui/widgets/theme.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace halfstep::ui {

DataSourcePanel::DataSourcePanel(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel),
      m_sentence(new QLabel),
      m_retry(new QPushButton) {
    m_title->setProperty("role", "heading");
    m_title->setAlignment(Qt::AlignCenter);
    m_sentence->setObjectName(QStringLiteral("dataSourceSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setFixedWidth(60 * kGrid);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* sample = new QPushButton(tr("Use the drawn sample"));
    auto* folder = new QPushButton(tr("Open a folder…"));
    auto* archive = new QPushButton(tr("Open an archive…"));
    folder->setToolTip(tr("A folder with train/ and val/ of one folder a class"));
    archive->setToolTip(tr("A .tgz of such a folder"));
    sample->setObjectName(QStringLiteral("dataUseSample"));
    folder->setObjectName(QStringLiteral("dataOpenFolder"));
    archive->setObjectName(QStringLiteral("dataOpenArchive"));
    m_retry->setObjectName(QStringLiteral("dataRetry"));
    m_retry->setProperty("primary", true);
    connect(sample, &QPushButton::clicked, this, &DataSourcePanel::sampleChosen);
    connect(folder, &QPushButton::clicked, this, &DataSourcePanel::chooseFolder);
    connect(archive, &QPushButton::clicked, this, &DataSourcePanel::chooseArchive);
    connect(m_retry, &QPushButton::clicked, this, &DataSourcePanel::retryWanted);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addStretch();
    for (QPushButton* button : {m_retry, sample, folder, archive}) {
        buttons->addWidget(button);
    }
    buttons->addStretch();

    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(2 * kGrid);
    layout->addStretch(2);
    layout->addWidget(m_title);
    auto* centred = new QHBoxLayout; // an alignment would cut the lines that wrap: it goes by the size hint
    centred->addStretch();
    centred->addWidget(m_sentence);
    centred->addStretch();
    layout->addLayout(centred);
    layout->addSpacing(kGrid);
    layout->addLayout(buttons);
    layout->addStretch(3);
    setTexts(tr("No photographs yet"),
             tr("Use the sample that Halfstep draws itself, or open photographs of your own: a folder with "
                "train/ and val/ of one folder a class, or a .tgz of such a folder."));
}

void DataSourcePanel::setTexts(const QString& title, const QString& sentence, const QString& retryText) {
    m_title->setText(title);
    m_sentence->setText(sentence);
    m_retry->setText(retryText);
    m_retry->setVisible(!retryText.isEmpty());
}

QString DataSourcePanel::sentence() const {
    return m_sentence->text();
}

} // namespace halfstep::ui
