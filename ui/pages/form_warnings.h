#pragma once
#include <QWidget>
#include <string>
#include <vector>

class QVBoxLayout;

namespace halfstep::ui {

/// Sentences on what the chosen settings will do, one below the other. Takes no room while there are none.
class FormWarnings : public QWidget {
    Q_OBJECT

public:
    explicit FormWarnings(QWidget* parent = nullptr);

    void setSentences(const std::vector<std::string>& sentences);
    QString text() const { return accessibleDescription(); }

private:
    QVBoxLayout* m_layout;
    std::vector<std::string> m_sentences;
};

} // namespace halfstep::ui
