#pragma once
#include "engine/values/sweep.h"
#include "ui/bridge/app_context.h"
#include <QWidget>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLineEdit;
class QSpinBox;

namespace halfstep::ui {

class FormField;

/// What a sweep goes through and how often. Data, image size, threads and seed are the experiment's, at the left.
class SweepForm : public QWidget {
    Q_OBJECT

public:
    explicit SweepForm(const AppContext& context, QWidget* parent = nullptr);

    /// What the fields say, on top of the experiment.
    values::SweepConfig config(const values::ExperimentConfig& experiment) const;
    /// The memory limit that is typed here; nothing where that of the experiment at the left counts.
    std::optional<std::uint64_t> ownMemoryLimit() const;
    /// Fields of the sweep only; `config.base` gives the memory limit.
    void setConfig(const values::SweepConfig& config);
    /// Each is shown at its field; returns the first one, or an empty text. Those of the experiment have no field
    /// here.
    QString showProblems(const values::ExperimentConfig& experiment);

    FormField* field(const QString& key) const;

signals:
    void changed();

private:
    /// A choice of several: each a box with the name that the engine knows it by.
    struct Choice {
        QString name;
        QCheckBox* box = nullptr;
    };
    QWidget* makePolicies();
    QWidget* makeChoices(std::vector<Choice>& choices, const std::vector<std::string>& names);
    void addField(QHBoxLayout* row, const QString& key, const QString& name, QWidget* editor, int stretch = 0);
    void fillBaselines();
    std::vector<values::FieldProblem> problems(const values::ExperimentConfig& experiment) const;

    std::map<QString, FormField*> m_fields; ///< by key
    std::vector<Choice> m_policies, m_devices, m_isas;
    QLineEdit* m_batchSizes;
    QSpinBox* m_steps;
    QSpinBox* m_warmup;
    QSpinBox* m_rounds;
    QLineEdit* m_orderSeed;
    QLineEdit* m_memoryLimit;
    QComboBox* m_input;
    QComboBox* m_baseline;
};

} // namespace halfstep::ui
