#pragma once
#include <QString>
#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace halfstep::ui {

/// A setting of the form: its name, its editor, and under it the sentence that says what is wrong, if anything is.
class FormField : public QWidget {
    Q_OBJECT

public:
    enum class Layout { Beside, Above }; ///< where the name stands

    /// `key` is the setting's JSON name ("batch_size"). The field owns the editor and gives it its accessible name.
    FormField(const QString& key, const QString& name, QWidget* editor, Layout layout = Layout::Beside,
              QWidget* parent = nullptr);

    const QString& key() const { return m_key; }
    const QString& name() const { return m_name; }
    QWidget* editor() const { return m_editor; }
    /// An empty sentence: all is well.
    void setProblem(const QString& sentence);
    QString problem() const;
    /// What belongs to the editor: beside it, and under it, above the problem. Only where the name stands beside.
    void accompany(QWidget* beside, QWidget* below);

private:
    QString m_key;
    QString m_name;
    QWidget* m_editor;
    QLabel* m_problem;
    QHBoxLayout* m_row = nullptr;
};

} // namespace halfstep::ui
