#pragma once
#include "engine/backend/devices.h"
#include "engine/precision/policy.h"
#include <QWidget>
#include <vector>

class QLabel;
class QRadioButton;

namespace halfstep::ui {

/// The precision policies as radio buttons, each with its mark and a line that says what it is. One that the device
/// lacks is grey, and the line says why. Those that keep their weights in 16 bits stand apart, under a caption.
class PolicyPicker : public QWidget {
    Q_OBJECT

public:
    explicit PolicyPicker(QWidget* parent = nullptr);

    precision::Policy policy() const;
    void setPolicy(precision::Policy policy);
    /// What the chosen device can do.
    void setDevice(const backend::DeviceInfo& device);
    bool isSupported(precision::Policy policy) const;

signals:
    void policyChanged();

private:
    struct Choice {
        precision::Policy policy{};
        QRadioButton* button = nullptr;
        QLabel* line = nullptr;
    };
    std::vector<Choice> m_choices;
    QLabel* m_pureCaption = nullptr; ///< over the policies that keep their weights in 16 bits
};

} // namespace halfstep::ui
