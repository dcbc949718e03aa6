#include "ui/pages/history_detail.h"
#include "ui/widgets/card.h"
#include "ui/widgets/theme.h"
#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace halfstep::ui {

HistoryDetail::HistoryDetail(QWidget* parent)
    : QWidget(parent),
      m_card(new Card(QStringLiteral(" "))),
      m_message(new QLabel),
      m_facts(new QWidget),
      m_lines(new QFormLayout(m_facts)) {
    setObjectName(QStringLiteral("historyDetail"));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setProperty("role", "caption");
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_facts->setObjectName(QStringLiteral("scrolled"));
    m_lines->setContentsMargins(0, 0, kGrid, 0);
    m_lines->setHorizontalSpacing(2 * kGrid);
    m_lines->setVerticalSpacing(kGrid);
    m_lines->setLabelAlignment(Qt::AlignLeft);
    m_lines->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_facts);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_card->content()->addWidget(m_message);
    m_card->content()->addWidget(scroll, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_card);
}

void HistoryDetail::clearFacts() {
    while (m_lines->rowCount() > 0) {
        m_lines->removeRow(0);
    }
}

void HistoryDetail::show(const HistoryEntry& entry) {
    clearFacts();
    m_card->setTitle(entry.key.text());
    m_message->setText(entry.message);
    m_message->setVisible(!entry.message.isEmpty());
    for (const auto& [name, value] : entry.facts) {
        auto* nameLabel = new QLabel(name);
        nameLabel->setProperty("role", "caption");
        nameLabel->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        auto* valueLabel = new QLabel(value);
        valueLabel->setTextFormat(Qt::PlainText);
        valueLabel->setWordWrap(true);
        valueLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
        valueLabel->setToolTip(value);
        valueLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long path is no reason to grow
        m_lines->addRow(nameLabel, valueLabel);
    }
}

void HistoryDetail::showText(const QString& title, const QString& sentence) {
    clearFacts();
    m_card->setTitle(title);
    m_message->setText(sentence);
    m_message->show();
}

} // namespace halfstep::ui
