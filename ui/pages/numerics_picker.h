#pragma once
#include "ui/bridge/run_history.h"
#include "ui/widgets/theme.h"
#include <QIcon>
#include <QWidget>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QSlider;

namespace halfstep::ui {

/// Which recorded step is looked at: a run of the history, or the one that goes on, and one of its recorded steps.
/// With the slider at its end, the newest record of a run that goes on is followed.
class NumericsPicker : public QWidget {
    Q_OBJECT

public:
    explicit NumericsPicker(std::filesystem::path historyFile, QWidget* parent = nullptr);
    ~NumericsPicker() override;

    /// The history may have changed: reads it again.
    void refresh();
    /// A run has been asked for. If it records numbers, it is chosen as soon as it has an id.
    void begin(const values::ExperimentConfig& config);
    void apply(const std::vector<values::RunEvent>& batch);
    /// The run that went on is over.
    void end();

    /// Whether there is any run to choose.
    bool hasRuns() const;
    std::optional<std::int64_t> run() const;
    QSlider* slider() const { return m_slider; }
    QComboBox* runs() const { return m_runs; }

signals:
    /// Null with a run that has no record (yet).
    void recordChosen(const std::shared_ptr<const halfstep::values::NumericsRecord>& record,
                      halfstep::precision::Policy policy);
    void runsChanged();
    void failed(const QString& sentence);

private:
    struct Choice {
        std::int64_t run = 0;
        precision::Policy policy{};
        QString text;
    };
    void takeRuns(const std::vector<store::StoredRun>& runs);
    void takeSteps(std::int64_t run, const std::vector<std::int64_t>& steps);
    void takeRecord(std::int64_t run, const std::shared_ptr<const values::NumericsRecord>& record);
    void takeLive(const values::NumericsRecord& record);
    void fillRuns(std::optional<std::int64_t> chosen);
    void runChosen();
    void stepChosen();
    void setSteps(std::vector<std::int64_t> steps, bool toEnd);
    void show(std::shared_ptr<const values::NumericsRecord> record);
    std::optional<std::int64_t> wantedStep() const;

    std::array<QIcon, precision::kPolicies.size()> m_icons;
    std::vector<Choice> m_choices;                          ///< newest first
    std::optional<values::ExperimentConfig> m_liveConfig;   ///< of the run that goes on, if it records numbers
    std::optional<std::int64_t> m_liveRun;                  ///< once it has an id
    std::optional<std::int64_t> m_shownRun;                 ///< whose steps are m_steps
    std::vector<std::int64_t> m_steps;                      ///< recorded ones
    std::shared_ptr<const values::NumericsRecord> m_record; ///< that shows
    bool m_reading = false;                                 ///< a record is on its way

    QComboBox* m_runs;
    QSlider* m_slider;
    QLabel* m_step;
    RunHistory m_history; ///< last: it waits for its thread first
};

} // namespace halfstep::ui
