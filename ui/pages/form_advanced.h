#pragma once
#include "engine/values/experiment_config.h"
#include <QWidget>
#include <vector>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace halfstep::ui {

class FormField;
class LossScaleFields;

/// The settings that a first run leaves alone, under "Advanced" in the experiment form.
class AdvancedFields : public QWidget {
    Q_OBJECT

public:
    explicit AdvancedFields(QWidget* parent = nullptr);

    std::vector<FormField*> fields() const;
    /// Writes what the fields say into `config`. Fields that cannot be read leave it alone; problems() says which.
    void read(values::ExperimentConfig& config) const;
    void show(const values::ExperimentConfig& config);
    void setPolicy(precision::Policy policy);
    /// Whether a run that is stopped can go on later. No part of the settings: the folder is named at the start.
    bool keepsCheckpoints() const;
    void setKeepsCheckpoints(bool keeps);
    /// Another set of photographs has another usual size.
    void setImageSize(int side);
    /// Of texts that cannot be read; ranges are values::problemsOf()'s.
    std::vector<values::FieldProblem> problems() const;

signals:
    void changed();

private:
    void optimizerChanged();

    QComboBox* m_imageSize;
    QComboBox* m_optimizer;
    QLineEdit* m_learningRate;
    QLineEdit* m_epsilon;
    LossScaleFields* m_lossScale;
    QSpinBox* m_numerics;
    QLineEdit* m_seed;
    QSpinBox* m_threads;
    QLineEdit* m_memoryLimit;
    QLineEdit* m_name;
    QCheckBox* m_checkpoints;
    std::vector<FormField*> m_fields; ///< without those of the loss scale
};

} // namespace halfstep::ui
