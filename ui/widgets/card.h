#pragma once
#include <QFrame>
#include <QString>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace halfstep::ui {

/// A titled surface: rounded, one hairline, 16 pixels inside. Put the content into content(), small controls that
/// belong to the title into header().
class Card : public QFrame {
    Q_OBJECT

public:
    /// An empty title makes a card without a header.
    explicit Card(const QString& title = {}, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    QString title() const;
    QVBoxLayout* content() const { return m_content; }
    /// Right of the title.
    QHBoxLayout* header() const { return m_header; }

private:
    QLabel* m_title;
    QHBoxLayout* m_header;
    QVBoxLayout* m_content;
};

} // namespace halfstep::ui
