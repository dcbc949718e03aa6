#include "ui/widgets/empty_state.h"
#include "ui/widgets/theme.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace halfstep::ui {

EmptyState::EmptyState(const QString& title, const QString& sentence, const QString& buttonText, QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel),
      m_sentence(new QLabel),
      m_button(new QPushButton(buttonText)) {
    m_title->setProperty("role", "heading");
    m_title->setAlignment(Qt::AlignCenter);
    m_sentence->setProperty("role", "caption");
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    m_sentence->setFixedWidth(56 * kGrid);
    m_button->setProperty("primary", true);
    m_button->setVisible(!buttonText.isEmpty());
    connect(m_button, &QPushButton::clicked, this, &EmptyState::actionRequested);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addStretch(2);
    layout->addWidget(m_title, 0, Qt::AlignHCenter);
    auto* centred = new QHBoxLayout; // an alignment would cut the lines that wrap: it goes by the size hint
    centred->addStretch();
    centred->addWidget(m_sentence);
    centred->addStretch();
    layout->addLayout(centred);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    setTexts(title, sentence);
}

void EmptyState::setTexts(const QString& title, const QString& sentence) {
    m_title->setText(title);
    m_sentence->setText(sentence);
}

} // namespace halfstep::ui
