#include "ui/pages/data_channel_table.h"
#include "ui/format/format.h"
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace halfstep::ui {
namespace {

struct ChannelLook {
    const char* name;
    const char* light; ///< colours that are told apart on both themes
    const char* dark;
};
constexpr std::array kChannels{ChannelLook{"R", "#C2334D", "#F0788A"}, ChannelLook{"G", "#2E7D4F", "#6CC28E"},
                               ChannelLook{"B", "#2F6DB5", "#79AEEA"}};
constexpr std::array kColumns{"", "Histogram, 0 to 1", "Mean", "Deviation", "Min", "Max"};

} // namespace

/// 64 steps of four 8-bit values each; the height is the share of the fullest.
class DataChannelTable::Histogram : public QWidget {
public:
    using QWidget::QWidget;

    void show(const std::array<std::int64_t, 256>& counts) {
        m_steps.fill(0);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            m_steps[i / 4] += static_cast<double>(counts[i]);
        }
        update();
    }
    void setColours(const QColor& fill, const QColor& base) {
        m_fill = fill;
        m_base = base;
        update();
    }
    QSize sizeHint() const override { return {160, 36}; }
    QSize minimumSizeHint() const override { return {64, 28}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const double top = *std::max_element(m_steps.begin(), m_steps.end());
        const double step = static_cast<double>(width()) / static_cast<double>(m_steps.size());
        QPainterPath area;
        area.moveTo(0, height() - 1);
        for (std::size_t i = 0; i < m_steps.size() && top > 0; ++i) {
            const double y = (height() - 1) * (1 - m_steps[i] / top);
            area.lineTo(static_cast<double>(i) * step, y);
            area.lineTo(static_cast<double>(i + 1) * step, y);
        }
        area.lineTo(width(), height() - 1);
        painter.fillPath(area, m_fill);
        painter.setPen(m_base);
        painter.drawLine(0, height() - 1, width(), height() - 1);
    }

private:
    std::array<double, 64> m_steps{};
    QColor m_fill, m_base;
};

DataChannelTable::DataChannelTable(QWidget* parent) : QWidget(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    for (int column = 0; column < static_cast<int>(kColumns.size()); ++column) {
        auto* header = new QLabel(QString::fromLatin1(kColumns[static_cast<std::size_t>(column)]));
        header->setProperty("role", "caption");
        grid->addWidget(header, 0, column, column > 1 ? Qt::AlignRight : Qt::AlignLeft);
    }
    for (std::size_t channel = 0; channel < m_rows.size(); ++channel) {
        Row& row = m_rows[channel];
        const int line = static_cast<int>(channel) + 1;
        const QString name = QString::fromLatin1(kChannels[channel].name);
        grid->addWidget(new QLabel(name), line, 0);
        row.histogram = new Histogram(this);
        row.histogram->setAccessibleName(QStringLiteral("Histogram of channel %1").arg(name));
        grid->addWidget(row.histogram, line, 1);
        for (std::size_t figure = 0; figure < row.figures.size(); ++figure) {
            auto* label = new QLabel(absent());
            label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
            label->setMinimumWidth(label->fontMetrics().horizontalAdvance(QStringLiteral("0.0000")));
            label->setTextInteractionFlags(Qt::TextSelectableByMouse);
            label->setAccessibleName(
                QStringLiteral("%1 of channel %2").arg(QLatin1String(kColumns[figure + 2]), name));
            row.figures[figure] = label;
            grid->addWidget(label, line, static_cast<int>(figure) + 2);
        }
    }
    setTheme(themeFor(ThemeKind::Light));
}

void DataChannelTable::setChannels(const std::array<ChannelFacts, 3>& channels) {
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const ChannelFacts& facts = channels[i];
        m_rows[i].histogram->show(facts.histogram);
        const std::array figures{facts.mean, facts.deviation, facts.minimum, facts.maximum};
        for (std::size_t figure = 0; figure < figures.size(); ++figure) {
            m_rows[i].figures[figure]->setText(fixed(figures[figure], 4));
        }
    }
}

void DataChannelTable::clear() {
    for (const Row& row : m_rows) {
        row.histogram->show({});
        for (QLabel* figure : row.figures) {
            figure->setText(absent());
        }
    }
}

void DataChannelTable::setTheme(const Theme& theme) {
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const ChannelLook& look = kChannels[i];
        m_rows[i].histogram->setColours(
            QColor(QLatin1String(theme.kind == ThemeKind::Light ? look.light : look.dark)), theme.border);
    }
}

} // namespace halfstep::ui
