#pragma once
#include "ui/models/roundings_model.h"
#include "ui/widgets/theme.h"
#include <QWidget>

class QTableView;

namespace halfstep::ui {

/// The engine's table of roundings: where each policy rounds each tensor of a step, the chosen policy's column
/// highlighted.
class NumericsRoundings : public QWidget {
    Q_OBJECT

public:
    explicit NumericsRoundings(QWidget* parent = nullptr);

    void setPolicy(precision::Policy policy);
    void setTheme(const Theme& theme);
    QTableView* table() const { return m_table; }
    /// The whole table, tab-separated.
    QString copied() const;

private:
    class Delegate;

    RoundingsModel m_model;
    QTableView* m_table;
    Delegate* m_delegate;
};

} // namespace halfstep::ui
