#pragma once
#include "engine/values/profile.h"
#include "ui/models/profile_table_model.h"
#include "ui/widgets/theme.h"
#include <QWidget>
#include <optional>
#include <vector>

class QLabel;
class QSettings;
class QTableView;

namespace halfstep::ui {

class RooflineChart;
class StepBarChart;

/// Profiles as the page Why shows them: sentences, a bar of the step, the table of its parts and the roofline. A part
/// that is read in one of them is marked in all.
class WhyView : public QWidget {
    Q_OBJECT

public:
    explicit WhyView(QSettings* settings, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// The profile that is explained, and what it is held against, if anything.
    void showProfiles(const values::StepProfile& profile, const std::optional<values::StepProfile>& baseline);

    QString sentences() const;
    QTableView* table() const { return m_table; }
    StepBarChart* bar() const { return m_bar; }
    RooflineChart* roofline() const { return m_roofline; }
    /// What the button copies: the whole table.
    QString copied() const;

private:
    void setUpTable();
    QWidget* makeTableSide();
    void readPart(std::optional<std::size_t> part);

    ProfileTableModel m_parts;
    QLabel* m_sentences;
    StepBarChart* m_bar;
    QTableView* m_table;
    RooflineChart* m_roofline;
    bool m_reading = false; ///< a part is being marked everywhere: no echo
};

} // namespace halfstep::ui
