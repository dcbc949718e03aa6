#include "ui/pages/data_browser.h"
#include "ui/format/format.h"
#include "ui/models/table_text.h"
#include "ui/pages/data_class_list.h"
#include "ui/pages/data_grid.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/segmented_switch.h"
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <cmath>

namespace halfstep::ui {
namespace {

QString summaryOf(const data::DatasetInfo& info, std::size_t train, std::size_t validation) {
    QString text = DataBrowser::tr("%1 classes  ·  %2 train  ·  %3 validation  ·  seen as %4 × %4 pixels")
                       .arg(count(static_cast<std::int64_t>(info.classes.size())),
                            count(static_cast<std::int64_t>(train)), count(static_cast<std::int64_t>(validation)))
                       .arg(info.imageSize);
    if (info.drawn) {
        text += DataBrowser::tr("  ·  drawn by Halfstep, not photographed");
    }
    return text;
}

QString sentencesOf(const std::vector<std::string>& warnings) {
    QStringList lines;
    for (std::string warning : warnings) {
        QString sentence = QString::fromStdString(warning);
        if (sentence.isEmpty()) {
            continue;
        }
        sentence[0] = sentence[0].toUpper();
        if (!sentence.endsWith(QLatin1Char('.'))) {
            sentence += QLatin1Char('.');
        }
        lines << sentence;
    }
    constexpr qsizetype most = 3; // more would push the photographs away; the tool tip has them all
    if (lines.size() > most) {
        const qsizetype rest = lines.size() - most;
        lines = lines.mid(0, most);
        lines << DataBrowser::tr("And %1 more.").arg(rest);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

DataBrowser::DataBrowser(QWidget* parent)
    : QWidget(parent),
      m_title(new ElidedLabel),
      m_summary(new QLabel),
      m_warnings(new QLabel),
      m_classes(new DataClassList),
      m_segments(new SegmentedSwitch({tr("Train"), tr("Validation"), tr("Skipped")})),
      m_filter(new QLineEdit),
      m_count(new QLabel),
      m_grid(new DataGrid),
      m_skipped(new QTableView),
      m_nothing(new QLabel),
      m_stack(new QStackedLayout) {
    m_title->setProperty("role", "heading");
    m_title->setObjectName(QStringLiteral("dataTitle"));
    m_summary->setProperty("role", "caption");
    m_warnings->setProperty("role", "warning");
    m_warnings->setObjectName(QStringLiteral("dataWarnings"));
    m_warnings->setWordWrap(true);
    m_segments->setAccessibleName(tr("Split"));
    m_segments->setObjectName(QStringLiteral("dataSplit"));
    m_filter->setObjectName(QStringLiteral("dataFilter"));
    m_filter->setPlaceholderText(tr("Filter by class or file"));
    m_filter->setAccessibleName(tr("Filter by class or file"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(30 * kGrid);
    m_filter->setTextMargins(kGrid / 2, 0, kGrid / 2, 0);
    m_count->setProperty("role", "caption");
    m_nothing->setProperty("role", "caption");
    m_nothing->setAlignment(Qt::AlignCenter);
    m_classes->setFixedWidth(26 * kGrid);

    m_grid->setModel(&m_photographs);
    m_skipped->setObjectName(QStringLiteral("dataSkipped"));
    m_skipped->setAccessibleName(tr("Files that could not be used"));
    m_skipped->setModel(&m_skippedFiles);
    m_skipped->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_skipped->setFrameShape(QFrame::NoFrame);
    m_skipped->setShowGrid(false);
    m_skipped->setWordWrap(false);
    m_skipped->setTabKeyNavigation(false);
    m_skipped->verticalHeader()->hide();
    m_skipped->verticalHeader()->setDefaultSectionSize(4 * kGrid);
    m_skipped->horizontalHeader()->setStretchLastSection(true);
    m_skipped->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_skipped->setColumnWidth(0, 45 * kGrid);
    installTableCopy(m_skipped);

    auto* tools = new QHBoxLayout;
    tools->setSpacing(2 * kGrid);
    tools->addWidget(m_segments);
    tools->addWidget(m_count);
    tools->addStretch();
    tools->addWidget(m_filter);

    m_stack->addWidget(m_grid);
    m_stack->addWidget(m_skipped);
    m_stack->addWidget(m_nothing);
    auto* right = new QVBoxLayout;
    right->setSpacing(kGrid);
    right->addLayout(tools);
    right->addLayout(m_stack, 1);

    auto* columns = new QHBoxLayout;
    columns->setSpacing(2 * kGrid);
    columns->addWidget(m_classes);
    columns->addLayout(right, 1);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid / 2);
    layout->addWidget(m_title);
    layout->addWidget(m_summary);
    layout->addWidget(m_warnings);
    layout->addSpacing(kGrid + kGrid / 2);
    layout->addLayout(columns, 1);

    connect(m_classes, &DataClassList::labelChosen, this, [this](std::optional<int> label) {
        m_photographs.setLabel(label);
        tellCount();
    });
    connect(m_segments, &SegmentedSwitch::chosen, this, &DataBrowser::applySegment);
    connect(m_filter, &QLineEdit::textChanged, this, &DataBrowser::applyFilter);
    connect(m_grid, &DataGrid::opened, this, [this](const QModelIndex& index) { emit opened(index.row()); });
}

void DataBrowser::setDataset(const std::shared_ptr<const data::Dataset>& dataset) {
    m_dataset = dataset;
    const data::DatasetInfo& info = dataset->info();
    const std::size_t train = dataset->photographs(data::Split::Train).size();
    const std::size_t validation = dataset->photographs(data::Split::Validation).size();
    m_title->setFullText(QString::fromStdString(info.displayName));
    m_summary->setText(summaryOf(info, train, validation));
    m_warnings->setText(sentencesOf(info.warnings));
    m_warnings->setVisible(!info.warnings.empty());
    QStringList all;
    for (const std::string& warning : info.warnings) {
        all << QString::fromStdString(warning);
    }
    m_warnings->setToolTip(all.join(QLatin1Char('\n')));
    m_segments->setText(Train, tr("Train  %1").arg(count(static_cast<std::int64_t>(train))));
    m_segments->setText(Validation, tr("Validation  %1").arg(count(static_cast<std::int64_t>(validation))));
    m_segments->setText(Skipped, tr("Skipped  %1").arg(count(static_cast<std::int64_t>(info.skipped.size()))));
    m_skippedFiles.setFiles(info.skipped);
    applySegment();
}

int DataBrowser::thumbnailSide() const {
    return static_cast<int>(std::ceil(DataGrid::kThumbnail * devicePixelRatioF()));
}

void DataBrowser::applySegment() {
    if (!m_dataset) {
        return;
    }
    const int segment = m_segments->current();
    m_classes->setEnabled(segment != Skipped);
    m_filter->setEnabled(segment != Skipped);
    if (segment != Skipped) {
        const auto split = segment == Train ? data::Split::Train : data::Split::Validation;
        m_side = thumbnailSide();
        m_classes->setSource(m_dataset->info(), split);
        m_photographs.setSource(m_dataset, split, m_side);
    }
    tellCount();
}

void DataBrowser::applyFilter(const QString& text) {
    m_photographs.setFilterText(text);
    tellCount();
}

void DataBrowser::tellCount() {
    if (m_segments->current() == Skipped) {
        const bool none = m_skippedFiles.rowCount() == 0;
        m_count->clear();
        m_nothing->setText(tr("Every file of this set can be used."));
        m_stack->setCurrentWidget(none ? static_cast<QWidget*>(m_nothing) : m_skipped);
        return;
    }
    const int shown = m_photographs.rowCount();
    const std::size_t all = m_dataset ? m_dataset->photographs(m_photographs.split()).size() : 0;
    m_count->setText(std::cmp_equal(shown, all)
                         ? QString()
                         : tr("%1 of %2").arg(count(shown), count(static_cast<std::int64_t>(all))));
    m_nothing->setText(all == 0 ? tr("This split has no photographs.")
                                : tr("No photograph fits the filter. Clear it, or choose All classes."));
    m_stack->setCurrentWidget(shown == 0 ? static_cast<QWidget*>(m_nothing) : m_grid);
    if (shown > 0 && !m_grid->currentIndex().isValid()) {
        m_grid->setCurrentIndex(m_photographs.index(0)); // so that the arrow keys and Enter work at once
    }
}

int DataBrowser::currentRow() const {
    return m_grid->currentIndex().row();
}

void DataBrowser::setCurrentRow(int row) {
    m_grid->setCurrentIndex(m_photographs.index(row));
}

void DataBrowser::focusGrid() {
    m_grid->setFocus();
}

void DataBrowser::setTheme(const Theme& theme) {
    m_classes->setTheme(theme);
    m_grid->setTheme(theme);
}

void DataBrowser::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_dataset && m_segments->current() != Skipped && m_side != thumbnailSide()) {
        applySegment(); // the window has come to a screen with another scale
    }
}

} // namespace halfstep::ui
