#pragma once
#include "ui/bridge/app_context.h"
#include "ui/bridge/memory_forecaster.h"
#include "ui/bridge/training_session.h"
#include "ui/pages/run_estimate.h"
#include "ui/widgets/theme.h"
#include <QWidget>
#include <map>
#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QPushButton;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace halfstep::ui {

class AdvancedFields;
class FormField;
class FormMemory;
class FormWarnings;
class PolicyPicker;
class RunControls;
class SourcePicker;

/// The experiment, always at the left: what to train on, how, and Start, Pause, Stop. Problems are said at their
/// field before anything starts; the last experiment is remembered.
class ExperimentForm : public QWidget {
    Q_OBJECT

public:
    explicit ExperimentForm(const AppContext& context, QWidget* parent = nullptr,
                            MemoryForecaster::ForecastFunction forecast = {});

    void setTheme(const Theme& theme);
    /// What the fields say. Fields that cannot be read keep their default; problems() says which.
    values::ExperimentConfig config() const;
    void setConfig(const values::ExperimentConfig& config);
    std::vector<values::FieldProblem> problems() const;
    /// Whether the run's checkpoints shall be kept; the settings name no folder for them.
    bool keepsCheckpoints() const;
    void setKeepsCheckpoints(bool keeps);

    QString dataSource() const;
    void setDataSource(const QString& source);
    /// How many pictures a source has.
    void setCounts(const QString& source, const values::SetCounts& counts);
    void setState(TrainingSession::State state);
    /// Why no run can start now, although the form is well; empty if one can.
    void setBusyElsewhere(const QString& reason);
    /// What the engine said of a setting when the run was to start; gone with the next change.
    void showProblem(const QString& field, const QString& sentence);
    /// A run has shown what its configuration takes.
    void rememberTimes(const values::ExperimentConfig& config, double stepMilliseconds, std::int64_t peakBytes);

    /// Starts if the form is without problems and nothing runs.
    void requestStart();
    void focusStart();
    RunControls* controls() const { return m_controls; }
    SourcePicker* sourcePicker() const { return m_source; }
    FormField* field(const QString& key) const;
    FormWarnings* warnings() const { return m_warnings; }
    FormMemory* memory() const { return m_memory; }
    QPushButton* largestBatchButton() const { return m_largestBatch; }

signals:
    void startRequested(const halfstep::values::ExperimentConfig& config);
    void dataSourceChanged(const QString& source, int imageSize);
    void policyChanged(halfstep::precision::Policy policy);
    /// Any setting has changed, and what is wrong with them with it.
    void settingsChanged();

private:
    QWidget* makeFields();
    void addField(QVBoxLayout* layout, FormField* field);
    void fillDevices();
    void deviceChanged();
    void policyChosen();
    void sourceChanged();
    void changed();
    std::optional<values::SetCounts> counts() const;
    void askForMemory(const values::ExperimentConfig& config, bool anew = false);
    void findLargestBatch();
    void takeLargestBatch(const MemoryForecast& found);
    void showProblems();
    void setAdvancedShown(bool shown);
    const backend::DeviceInfo* chosenDevice() const;

    AppContext m_context;
    StepTimes m_times;
    std::map<QString, values::SetCounts> m_counts; ///< by source
    std::map<QString, FormField*> m_fields;        ///< by key
    std::optional<values::FieldProblem> m_said;    ///< by showProblem()
    std::pair<QString, int> m_announced;           ///< by dataSourceChanged()

    SourcePicker* m_source;
    PolicyPicker* m_policy;
    FormWarnings* m_warnings;
    MemoryForecaster* m_forecaster;
    FormMemory* m_memory;
    QComboBox* m_batch;
    QPushButton* m_largestBatch;
    QComboBox* m_device;
    QSpinBox* m_epochs;
    QToolButton* m_advancedButton;
    AdvancedFields* m_advanced;
    RunControls* m_controls;
    Theme m_theme;
    bool m_setting = false; ///< setConfig() is at work: signals of single fields do not count
};

} // namespace halfstep::ui
