#pragma once
#include "engine/values/run_event.h"
#include "ui/pages/page.h"
#include <memory>
#include <vector>

class QStackedWidget;

namespace halfstep::ui {

class Banner;
class EmptyState;
class NumericsMeasured;
class NumericsPicker;
class NumericsRoundings;
class SegmentedSwitch;

/// What the tensors of a step hold and what 16 bits make of it: measured, of the run that goes on or a kept one; and
/// the table of where each policy rounds.
class NumericsPage : public Page {
    Q_OBJECT

public:
    enum View { Measured, Roundings };

    explicit NumericsPage(const AppContext& context, QWidget* parent = nullptr);
    ~NumericsPage() override;

    void setTheme(const Theme& theme) override;
    void exportShown() override;
    void historyChanged() override;
    void showView(View view);
    /// The form's.
    void setPolicy(precision::Policy policy);

    /// A run has been asked for, goes on, and has ended: its records are shown as they come.
    void begin(const values::ExperimentConfig& config);
    void apply(const std::vector<values::RunEvent>& batch);
    void end();

    NumericsPicker* picker() const { return m_picker; }
    NumericsMeasured* measured() const { return m_measured; }
    NumericsRoundings* roundings() const { return m_roundings; }
    Banner* banner() const { return m_banner; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refreshView();
    void takeRecord(const std::shared_ptr<const values::NumericsRecord>& record, precision::Policy policy);
    void showRecord();

    std::shared_ptr<const values::NumericsRecord> m_record; ///< chosen; drawn once it can be seen
    precision::Policy m_policy{};
    bool m_stale = false; ///< m_record is not the one that is drawn

    Banner* m_banner;
    SegmentedSwitch* m_view;
    NumericsPicker* m_picker;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    NumericsMeasured* m_measured;
    NumericsRoundings* m_roundings;
};

} // namespace halfstep::ui
