#include "ui/pages/form_field.h"
#include "ui/widgets/theme.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace halfstep::ui {

namespace {
constexpr int kNameWidth = 11 * kGrid; ///< so that all editors begin at one line
} // namespace

FormField::FormField(const QString& key, const QString& name, QWidget* editor, Layout place, QWidget* parent)
    : QWidget(parent),
      m_key(key),
      m_name(name),
      m_editor(editor),
      m_problem(new QLabel) {
    auto* label = new QLabel(name);
    label->setBuddy(editor);
    if (editor->accessibleName().isEmpty()) {
        editor->setAccessibleName(name);
    }
    m_problem->setProperty("role", "danger");
    m_problem->setWordWrap(true);
    m_problem->hide();

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid / 2);
    if (place == Layout::Beside) {
        label->setFixedWidth(kNameWidth);
        m_row = new QHBoxLayout;
        m_row->setSpacing(kGrid);
        m_row->addWidget(label);
        m_row->addWidget(editor, 1);
        layout->addLayout(m_row);
    } else {
        layout->addWidget(label);
        layout->addWidget(editor);
    }
    layout->addWidget(m_problem);
}

void FormField::setProblem(const QString& sentence) {
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
    m_editor->setAccessibleDescription(sentence);
}

void FormField::accompany(QWidget* beside, QWidget* below) {
    m_row->addWidget(beside);
    below->setContentsMargins(kNameWidth + kGrid, 0, 0, 0);
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, below);
}

QString FormField::problem() const {
    return m_problem->text();
}

} // namespace halfstep::ui
