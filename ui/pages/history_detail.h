#pragma once
#include "ui/models/history_entry.h"
#include <QWidget>

class QFormLayout;
class QLabel;

namespace halfstep::ui {

class Card;

/// What is known of one entry of the history: how it ended, its settings, its figures, the machine. Its texts can be
/// selected and copied.
class HistoryDetail : public QWidget {
    Q_OBJECT

public:
    explicit HistoryDetail(QWidget* parent = nullptr);

    void show(const HistoryEntry& entry);
    /// In place of an entry: several are selected, or none.
    void showText(const QString& title, const QString& sentence);

private:
    void clearFacts();

    Card* m_card;
    QLabel* m_message;
    QWidget* m_facts;
    QFormLayout* m_lines;
};

} // namespace halfstep::ui
