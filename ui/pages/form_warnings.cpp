#include "ui/pages/form_warnings.h"
#include "ui/widgets/theme.h"
#include <QLabel>
#include <QStringList>
#include <QVBoxLayout>

namespace halfstep::ui {

FormWarnings::FormWarnings(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
    setAccessibleName(tr("Warnings"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(kGrid / 2);
    hide();
}

void FormWarnings::setSentences(const std::vector<std::string>& sentences) {
    if (sentences == m_sentences) {
        return;
    }
    m_sentences = sentences;
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    QStringList lines;
    for (const std::string& sentence : sentences) {
        lines << QString::fromStdString(sentence);
        auto* label = new QLabel(lines.back());
        label->setProperty("role", "warning");
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        m_layout->addWidget(label);
    }
    setAccessibleDescription(lines.join(QLatin1Char('\n')));
    setVisible(!sentences.empty());
}

} // namespace halfstep::ui
