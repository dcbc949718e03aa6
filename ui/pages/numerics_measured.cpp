#include "ui/pages/numerics_measured.h"
#include "ui/models/table_text.h"
#include "ui/pages/numerics_detail.h"
#include "ui/widgets/compact_header.h"
#include "ui/widgets/segmented_switch.h"
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace halfstep::ui {

using values::TensorRole;

namespace {

/// Widths that fit the widest usual value in a small font; the layer's name is cut in its middle.
constexpr std::array<int, TensorTableModel::ColumnCount> kWidths{108, 114, 36, 62, 38, 38, 38, 38, 38, 38};
constexpr int kTableWidth = 562; ///< all columns and the scroll bar
constexpr std::array<std::optional<TensorRole>, 4> kFilters{std::nullopt, TensorRole::Weight, TensorRole::Activation,
                                                            TensorRole::Gradient};
constexpr int kFirstFilter = 3; ///< gradients: where 16 bits tell

} // namespace

NumericsMeasured::NumericsMeasured(QSettings* settings, QWidget* parent)
    : QWidget(parent),
      m_filter(new SegmentedSwitch({tr("All"), tr("Weights"), tr("Activations"), tr("Gradients")})),
      m_table(new QTableView),
      m_detail(new NumericsDetail(settings)) {
    m_filter->setAccessibleName(tr("Which tensors the table shows"));
    m_filter->setObjectName(QStringLiteral("tensorFilter"));
    m_filter->setCurrent(kFirstFilter);
    m_tensors.setRole(kFilters[kFirstFilter]);
    setUpTable();
    auto* copy = new QPushButton(tr("Copy"));
    copy->setToolTip(
        tr("Copy the tensors that show, tab-separated, in full precision (Ctrl+C in the table copies the "
           "chosen one)"));
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(wholeTableText(m_tensors)); });

    auto* tools = new QHBoxLayout;
    tools->setSpacing(kGrid);
    tools->addWidget(m_filter);
    tools->addStretch();
    tools->addWidget(copy);
    auto* left = new QWidget;
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(0, 0, 0, 0);
    leftLayout->setSpacing(kGrid);
    leftLayout->addLayout(tools);
    leftLayout->addWidget(m_table, 1);

    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(kGrid);
    splitter->setStyleSheet(QStringLiteral("QSplitter::handle { background: transparent; }"));
    splitter->addWidget(left);
    splitter->addWidget(m_detail);
    splitter->setStretchFactor(0, 0);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({kTableWidth, 384});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);

    connect(m_filter, &SegmentedSwitch::chosen, this, &NumericsMeasured::filterChosen);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &NumericsMeasured::tensorChosen);
}

void NumericsMeasured::setUpTable() {
    auto* header =
        new CompactHeader({{TensorTableModel::Float16Zero, TensorTableModel::Float16NonFinite, tr("float16, %")},
                           {TensorTableModel::BFloat16Zero, TensorTableModel::BFloat16NonFinite, tr("bfloat16, %")}});
    setUpCompactTable(*m_table, header, 3 * kGrid);
    m_table->setModel(&m_tensors);
    m_table->setObjectName(QStringLiteral("tensorTable"));
    m_table->setAccessibleName(tr("Tensors of the step"));
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // the columns keep their places
    for (int column = 0; column < TensorTableModel::ColumnCount; ++column) {
        m_table->setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    }
    installTableCopy(m_table);
}

void NumericsMeasured::showRecord(const std::shared_ptr<const values::NumericsRecord>& record,
                                  precision::Policy policy) {
    m_record = record;
    m_policy = policy;
    m_tensors.setRecord(record);
    const int kept = m_record && m_chosen ? m_tensors.rowOf(*m_chosen) : -1;
    choose(kept >= 0 ? kept : m_tensors.mostZeros());
}

void NumericsMeasured::filterChosen(int segment) {
    m_tensors.setRole(kFilters[static_cast<std::size_t>(segment)]);
    const int kept = m_chosen ? m_tensors.rowOf(*m_chosen) : -1;
    choose(kept >= 0 ? kept : m_tensors.mostZeros());
}

void NumericsMeasured::choose(int row) {
    if (row >= 0 && m_table->currentIndex().row() != row) {
        m_table->selectRow(row); // goes on to tensorChosen()
        return;
    }
    tensorChosen();
}

void NumericsMeasured::tensorChosen() {
    const int row = m_table->currentIndex().row();
    if (!m_record || row < 0) {
        m_detail->showTensor(m_record, std::nullopt, m_policy);
        return;
    }
    const values::TensorNumerics& tensor = m_tensors.tensorAt(row);
    m_chosen = tensor;
    m_detail->showTensor(m_record, static_cast<std::size_t>(&tensor - m_record->tensors.data()), m_policy);
}

void NumericsMeasured::setTheme(const Theme& theme) {
    m_detail->setTheme(theme);
}

} // namespace halfstep::ui
