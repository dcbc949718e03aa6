#pragma once
#include "ui/models/tensor_facts.h"
#include "ui/widgets/theme.h"
#include <QWidget>
#include <array>

class QLabel;

namespace halfstep::ui {

/// R, G and B of the tensor: a small histogram, mean, deviation, smallest and largest value of each, 0 to 1.
class DataChannelTable : public QWidget {
    Q_OBJECT

public:
    explicit DataChannelTable(QWidget* parent = nullptr);

    void setChannels(const std::array<ChannelFacts, 3>& channels);
    void clear();
    void setTheme(const Theme& theme);

private:
    class Histogram;
    struct Row {
        Histogram* histogram = nullptr;
        std::array<QLabel*, 4> figures{}; ///< mean, deviation, minimum, maximum
    };
    std::array<Row, 3> m_rows;
};

} // namespace halfstep::ui
