#include "ui/pages/numerics_detail.h"
#include "ui/charts/exponent_chart.h"
#include "ui/format/format.h"
#include "ui/models/numerics_text.h"
#include "ui/models/table_text.h"
#include "ui/widgets/compact_header.h"
#include <QClipboard>
#include <QComboBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QTableView>
#include <QVBoxLayout>

namespace halfstep::ui {

using precision::kJudgedFormats;

namespace {

constexpr int kRowHeight = 3 * kGrid;
constexpr int kSentenceLines = 4;
constexpr int kFormatWidth = 11 * kGrid, kLongTitleWidth = 9 * kGrid; ///< fit the small font

/// All rows show: it never scrolls.
void setUpTable(QTableView& table, FormatTableModel& model) {
    setUpCompactTable(table, new CompactHeader, kRowHeight);
    table.setModel(&model);
    table.setObjectName(QStringLiteral("formatTable"));
    table.setAccessibleName(NumericsDetail::tr("Shares of the tensor's elements in five formats"));
    table.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table.horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    for (const auto& [column, width] : {std::pair(FormatTableModel::Format, kFormatWidth),
                                        {FormatTableModel::Subnormal, kLongTitleWidth},
                                        {FormatTableModel::NonFinite, kLongTitleWidth}}) {
        table.horizontalHeader()->setSectionResizeMode(column, QHeaderView::Fixed);
        table.setColumnWidth(column, width);
    }
    table.horizontalHeader()->setFixedHeight(kRowHeight);
    table.setFixedHeight(kRowHeight * (1 + model.rowCount()));
    installTableCopy(&table);
}

QString fileName(const values::TensorNumerics& tensor, std::int64_t step) {
    return QStringLiteral("exponents_%1_%2_step_%3")
        .arg(QString::fromStdString(tensor.layer), QString::fromStdString(tensor.tensor))
        .arg(step)
        .replace(QLatin1Char(' '), QLatin1Char('_'));
}

} // namespace

NumericsDetail::NumericsDetail(QSettings* settings, QWidget* parent)
    : QWidget(parent),
      m_chart(new ExponentChart(tr("Exponents"), settings)),
      m_format(new QComboBox),
      m_scale(new QSlider(Qt::Horizontal)),
      m_scaleText(new QLabel),
      m_sentence(new QLabel),
      m_formatCard(new Card(tr("In every format, % of the elements"))),
      m_table(new QTableView) {
    for (const precision::NumberFormat& format : kJudgedFormats) {
        m_format->addItem(formatName(format));
    }
    m_format->setAccessibleName(tr("Format whose range is shaded"));
    m_scale->setAccessibleName(tr("Loss scale to try, as a power of two"));
    m_scale->setPageStep(4);
    m_scaleText->ensurePolished();
    m_scaleText->setFixedWidth(
        m_scaleText->fontMetrics().horizontalAdvance(tr("%1, as it ran").arg(powerOfTwo(100))));
    m_sentence->setObjectName(QStringLiteral("numericsSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setFixedHeight(kSentenceLines * m_sentence->fontMetrics().lineSpacing()); // the chart keeps its place

    auto* controls = new QGridLayout;
    controls->setHorizontalSpacing(kGrid);
    controls->setVerticalSpacing(kGrid / 2);
    controls->addWidget(new QLabel(tr("Range of")), 0, 0);
    controls->addWidget(m_format, 0, 1, Qt::AlignLeft);
    controls->addWidget(new QLabel(tr("Loss scale")), 1, 0);
    controls->addWidget(m_scale, 1, 1);
    controls->addWidget(m_scaleText, 1, 2);
    controls->setColumnStretch(1, 1);
    m_chart->content()->insertLayout(1, controls); // under the banner
    m_chart->content()->addWidget(m_sentence);

    setUpTable(*m_table, m_formats);
    auto* copy = new QPushButton(tr("Copy"));
    copy->setToolTip(
        tr("Copy the table, tab-separated, in full precision (Ctrl+C in the table copies the chosen row)"));
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(wholeTableText(m_formats)); });
    m_formatCard->header()->addWidget(copy);
    m_formatCard->content()->addWidget(m_table);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_formatCard);

    connect(m_format, &QComboBox::currentIndexChanged, this, [this](int row) {
        m_table->selectRow(row);
        draw();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { m_format->setCurrentIndex(std::max(current.row(), 0)); });
    connect(m_scale, &QSlider::valueChanged, this, &NumericsDetail::draw);
    m_table->selectRow(0);
    draw();
}

const values::TensorNumerics* NumericsDetail::tensor() const {
    return m_record && m_index ? &m_record->tensors[*m_index] : nullptr;
}

void NumericsDetail::showTensor(const std::shared_ptr<const values::NumericsRecord>& record,
                                std::optional<std::size_t> index, precision::Policy policy) {
    m_record = record;
    m_index = index;
    m_policy = policy;
    setUpScale();
    draw();
}

void NumericsDetail::setUpScale() {
    if (!m_record || m_scaleOf == m_record->lossScale) {
        return;
    }
    // At the scale of the step, as long as no other has been chosen.
    const bool untouched = !m_scaleOf || m_scale->value() == scaleExponentOf(*m_scaleOf);
    m_scaleOf = m_record->lossScale;
    const QSignalBlocker quiet(m_scale);
    m_scale->setRange(0, largestScaleExponent(*m_scaleOf));
    if (untouched) {
        m_scale->setValue(scaleExponentOf(*m_scaleOf));
    }
}

void NumericsDetail::draw() {
    const values::TensorNumerics* shown = tensor();
    const bool gradient = shown != nullptr && shown->role == values::TensorRole::Gradient;
    m_scale->setEnabled(gradient);
    m_scale->setToolTip(gradient
                            ? tr("What the shares would be if the loss had been multiplied by another power of 2")
                            : tr("Only gradients carry the loss scale: choose one in the table"));
    if (shown == nullptr) {
        m_chart->setTitle(tr("Exponents"));
        m_chart->setBars(std::nullopt);
        m_formats.setTensor(nullptr);
        m_scaleText->clear();
        m_sentence->clear();
        return;
    }
    const double carried = m_record->lossScale;
    const int own = scaleExponentOf(carried);
    const int chosen = gradient ? m_scale->value() : own;
    const precision::NumberFormat& format = kJudgedFormats[static_cast<std::size_t>(m_format->currentIndex())];
    const auto [from, to] = exponentAxis(*shown, carried);
    QString caption = tr("%1, step %2").arg(tensorTitle(*shown), count(m_record->step));
    if (gradient) {
        caption += tr(", loss scale %1").arg(chosen == own ? lossScale(carried) : powerOfTwo(chosen));
    }
    m_chart->setTitle(tensorTitle(*shown));
    m_chart->setExportName(fileName(*shown, m_record->step));
    m_chart->setBars(ExponentBars{.histogram = shown->histogram,
                                  .elements = shown->elements,
                                  .shift = chosen - own,
                                  .from = from,
                                  .to = to,
                                  .format = format,
                                  .colour = colourOf(m_policy),
                                  .caption = tr("%1, range of %2").arg(caption, formatName(format))});
    m_formats.setTensor(shown, chosen - own);
    m_scaleText->setText(!gradient ? absent()
                         : chosen != own
                             ? (chosen == 0 ? tr("1, none") : powerOfTwo(chosen))
                             : tr("%1, as it ran").arg(own == 0 ? QStringLiteral("1") : lossScale(carried)));
    m_sentence->setText(numericsSentence(*shown, carried, format, chosen));
}

void NumericsDetail::setEmptyText(const QString& text) {
    m_chart->setEmptyText(text);
}

void NumericsDetail::setTheme(const Theme& theme) {
    m_chart->setTheme(theme);
}

QString NumericsDetail::sentence() const {
    return m_sentence->text();
}

} // namespace halfstep::ui
