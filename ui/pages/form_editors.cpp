#include "ui/pages/form_editors.h"
#include "ui/format/format.h"
#include <QComboBox>
#include <QCoreApplication>
#include <QSpinBox>
#include <QWheelEvent>
#include <cmath>
#include <limits>

namespace halfstep::ui {

namespace {

constexpr int kNarrowest = 64; ///< pixels

/// Scrolling the form must not change a number that happens to lie under the mouse.
template <typename Editor>
class CalmWheel : public Editor {
public:
    CalmWheel() { this->setFocusPolicy(Qt::StrongFocus); }

protected:
    void wheelEvent(QWheelEvent* event) override { this->hasFocus() ? Editor::wheelEvent(event) : event->ignore(); }
};

} // namespace

QComboBox* choiceBox() {
    auto* box = new CalmWheel<QComboBox>;
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(4);
    return box;
}

QComboBox* numberChoice(std::initializer_list<int> offered) {
    QComboBox* box = choiceBox();
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    for (const int value : offered) {
        box->addItem(QString::number(value));
    }
    return box;
}

QSpinBox* spinBox(int minimum, int maximum) {
    auto* box = new CalmWheel<QSpinBox>;
    box->setRange(minimum, maximum);
    box->setMinimumWidth(kNarrowest); // else the widest text that it could ever show
    return box;
}

std::optional<std::int64_t> readWhole(const QString& text) {
    bool understood = false;
    const qlonglong value = text.trimmed().toLongLong(&understood);
    return understood ? std::optional<std::int64_t>(value) : std::nullopt;
}

std::optional<int> readInt(const QString& text) {
    const auto value = readWhole(text);
    const bool fits = value && *value >= std::numeric_limits<int>::min() && *value <= std::numeric_limits<int>::max();
    return fits ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

std::optional<double> readLossScale(const QString& text) {
    const QString power = text.trimmed();
    if (!power.startsWith(QLatin1String("2^"))) {
        return readDecimal(text);
    }
    const auto exponent = readInt(power.mid(2));
    const double value = exponent ? std::ldexp(1.0, *exponent) : 0;
    return exponent && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

values::FieldProblem notANumber(const QString& field, const QString& text, const QString& example) {
    return {field.toStdString(),
            QCoreApplication::translate("ExperimentForm", "“%1” is no number; write one like %2.")
                .arg(text, example)
                .toStdString()};
}

} // namespace halfstep::ui
