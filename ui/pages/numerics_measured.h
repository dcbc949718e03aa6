#pragma once
#include "ui/models/tensor_table_model.h"
#include "ui/widgets/theme.h"
#include <QWidget>
#include <memory>
#include <optional>

class QSettings;
class QTableView;

namespace halfstep::ui {

class NumericsDetail;
class SegmentedSwitch;

/// A recorded step: its tensors as a table at the left, the chosen one at the right.
class NumericsMeasured : public QWidget {
    Q_OBJECT

public:
    explicit NumericsMeasured(QSettings* settings, QWidget* parent = nullptr);

    /// Null: no record (yet). The chosen tensor stays chosen from record to record.
    void showRecord(const std::shared_ptr<const values::NumericsRecord>& record, precision::Policy policy);
    void setTheme(const Theme& theme);

    TensorTableModel& tensors() { return m_tensors; }
    QTableView* table() const { return m_table; }
    SegmentedSwitch* filter() const { return m_filter; }
    NumericsDetail* detail() const { return m_detail; }

private:
    void setUpTable();
    void filterChosen(int segment);
    void choose(int row);
    void tensorChosen();

    TensorTableModel m_tensors;
    std::shared_ptr<const values::NumericsRecord> m_record;
    precision::Policy m_policy{};
    std::optional<values::TensorNumerics> m_chosen; ///< the last one, to find it again

    SegmentedSwitch* m_filter;
    QTableView* m_table;
    NumericsDetail* m_detail;
};

} // namespace halfstep::ui
