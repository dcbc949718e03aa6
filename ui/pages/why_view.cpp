#include "ui/pages/why_view.h"
#include "engine/analysis/why.h"
#include "ui/charts/roofline_chart.h"
#include "ui/charts/step_bar_chart.h"
#include "ui/models/table_text.h"
#include "ui/widgets/compact_header.h"
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <array>

namespace halfstep::ui {

namespace {

/// Widths that fit the widest usual value in a small font; what is done by what is cut, and told by its tool tip.
constexpr std::array<int, ProfileTableModel::ColumnCount> kWidths{146, 124, 46, 74, 50, 56, 60, 48, 52, 66, 260};
constexpr int kTableWidth = 612, kRooflineWidth = 324;
constexpr int kBarHeight = 144, kBarHeightOfTwo = 176;

} // namespace

WhyView::WhyView(QSettings* settings, QWidget* parent)
    : QWidget(parent),
      m_sentences(new QLabel),
      m_bar(new StepBarChart(tr("One step, milliseconds"), settings)),
      m_table(new QTableView),
      m_roofline(new RooflineChart(tr("Roofline"), settings)) {
    m_sentences->setObjectName(QStringLiteral("whySentences"));
    m_sentences->setWordWrap(true);
    m_sentences->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setUpTable();

    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(kGrid);
    splitter->setStyleSheet(QStringLiteral("QSplitter::handle { background: transparent; }"));
    splitter->addWidget(makeTableSide());
    splitter->addWidget(m_roofline);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({kTableWidth, kRooflineWidth});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(m_sentences);
    layout->addWidget(m_bar);
    layout->addWidget(splitter, 1);

    connect(m_bar, &StepBarChart::partRead, this, &WhyView::readPart);
    connect(m_roofline, &RooflineChart::partRead, this, &WhyView::readPart);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid()) {
                    readPart(static_cast<std::size_t>(current.row()));
                }
            });
}

QWidget* WhyView::makeTableSide() {
    auto* copy = new QPushButton(tr("Copy"));
    copy->setObjectName(QStringLiteral("whyCopy"));
    copy->setToolTip(tr("Copy the whole table, tab-separated, in full precision (Ctrl+C in the table copies the "
                        "chosen row)"));
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(copied()); });
    auto* hint = new QLabel(tr("GFLOP/s of the algorithm itself, GB/s of its tensors"));
    hint->setProperty("role", "caption");
    auto* tools = new QHBoxLayout;
    tools->setSpacing(kGrid);
    tools->addWidget(hint);
    tools->addStretch();
    tools->addWidget(copy);
    auto* side = new QWidget;
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addLayout(tools);
    layout->addWidget(m_table, 1);
    return side;
}

void WhyView::setUpTable() {
    setUpCompactTable(*m_table, new CompactHeader, 3 * kGrid - 2);
    m_table->setModel(&m_parts);
    m_table->setObjectName(QStringLiteral("profileTable"));
    m_table->setAccessibleName(tr("Parts of the step"));
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideRight);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    for (int column = 0; column < ProfileTableModel::ColumnCount; ++column) {
        m_table->setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    }
    installTableCopy(m_table);
}

void WhyView::showProfiles(const values::StepProfile& profile, const std::optional<values::StepProfile>& baseline) {
    QStringList lines;
    for (const std::string& sentence : analysis::whySentences(profile, baseline ? &*baseline : nullptr)) {
        lines << QString::fromStdString(sentence);
    }
    m_sentences->setText(lines.join(QLatin1Char('\n')));
    std::vector<values::StepProfile> bars{profile};
    if (baseline) {
        bars.push_back(*baseline);
    }
    m_bar->setFixedHeight(bars.size() > 1 ? kBarHeightOfTwo : kBarHeight);
    m_bar->setProfiles(std::move(bars));
    m_parts.setProfiles(profile, baseline);
    m_table->setColumnHidden(ProfileTableModel::Baseline, !baseline);
    m_table->setColumnHidden(ProfileTableModel::Gained, !baseline);
    m_roofline->setProfile(profile);
}

QString WhyView::sentences() const {
    return m_sentences->text();
}

QString WhyView::copied() const {
    return wholeTableText(m_parts);
}

void WhyView::readPart(std::optional<std::size_t> part) {
    if (m_reading) {
        return;
    }
    m_reading = true;
    m_bar->readPart(part);
    m_roofline->readPart(part);
    if (part) {
        m_table->selectRow(static_cast<int>(*part));
    }
    m_reading = false;
}

void WhyView::setTheme(const Theme& theme) {
    m_bar->setTheme(theme);
    m_roofline->setTheme(theme);
}

} // namespace halfstep::ui
