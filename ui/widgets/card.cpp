#include "ui/widgets/card.h"
#include "ui/widgets/theme.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace halfstep::ui {

Card::Card(const QString& title, QWidget* parent)
    : QFrame(parent),
      m_title(new QLabel),
      m_header(new QHBoxLayout),
      m_content(new QVBoxLayout) {
    setObjectName(QStringLiteral("card"));
    m_title->setProperty("role", "title");
    m_header->setSpacing(kGrid);
    m_header->addWidget(m_title);
    m_header->addStretch();
    m_content->setSpacing(kGrid);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, kGrid + 4, 2 * kGrid, kGrid + 4);
    layout->setSpacing(kGrid);
    layout->addLayout(m_header);
    layout->addLayout(m_content, 1);
    setTitle(title);
}

void Card::setTitle(const QString& title) {
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
}

QString Card::title() const {
    return m_title->text();
}

} // namespace halfstep::ui
