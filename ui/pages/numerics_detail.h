#pragma once
#include "engine/values/numerics.h"
#include "ui/models/format_table_model.h"
#include "ui/widgets/theme.h"
#include <QWidget>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QSettings;
class QSlider;
class QTableView;

namespace halfstep::ui {

class Card;
class ExponentChart;

/// One tensor of a recorded step: its exponents over the range of a format, what another loss scale would change, a
/// sentence that says what it means, and all judged formats side by side.
class NumericsDetail : public QWidget {
    Q_OBJECT

public:
    explicit NumericsDetail(QSettings* settings, QWidget* parent = nullptr);

    /// Row `index` of the record's tensors; nothing: no tensor, with the text that says why.
    void showTensor(const std::shared_ptr<const values::NumericsRecord>& record, std::optional<std::size_t> index,
                    precision::Policy policy);
    void setEmptyText(const QString& text);
    void setTheme(const Theme& theme);

    ExponentChart* chart() const { return m_chart; }
    QSlider* scale() const { return m_scale; }
    QComboBox* format() const { return m_format; }
    QTableView* table() const { return m_table; }
    QString sentence() const;

private:
    const values::TensorNumerics* tensor() const;
    void setUpScale();
    void draw();

    std::shared_ptr<const values::NumericsRecord> m_record;
    std::optional<std::size_t> m_index;
    precision::Policy m_policy{};
    std::optional<double> m_scaleOf; ///< the loss scale that the slider has been set up for

    FormatTableModel m_formats;
    ExponentChart* m_chart;
    QComboBox* m_format;
    QSlider* m_scale;
    QLabel* m_scaleText;
    QLabel* m_sentence;
    Card* m_formatCard;
    QTableView* m_table;
};

} // namespace halfstep::ui
