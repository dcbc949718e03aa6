#pragma once
#include "engine/values/experiment_config.h"
#include <QWidget>
#include <vector>

class QComboBox;
class QLineEdit;

namespace halfstep::ui {

class FormField;

/// How the loss scale is kept: a part of the form's advanced settings. Only what applies is enabled and read; what is
/// left empty is the rule's default, which its field shows.
class LossScaleFields : public QWidget {
    Q_OBJECT

public:
    explicit LossScaleFields(QWidget* parent = nullptr);

    const std::vector<FormField*>& fields() const { return m_fields; }
    values::LossScaleSettings settings() const;
    void setSettings(const values::LossScaleSettings& settings);
    /// What "auto" means depends on it.
    void setPolicy(precision::Policy policy);
    /// Of texts that cannot be read; ranges are values::problemsOf()'s.
    std::vector<values::FieldProblem> problems() const;

signals:
    void changed();

private:
    void refresh();

    precision::Policy m_policy = precision::Policy::Float32;
    QComboBox* m_scaling;
    QComboBox* m_rule;
    QLineEdit* m_scale;
    QLineEdit* m_growth;
    QLineEdit* m_backoff;
    QLineEdit* m_interval;
    std::vector<FormField*> m_fields;
};

} // namespace halfstep::ui
