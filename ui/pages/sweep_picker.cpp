#include "ui/pages/sweep_picker.h"
#include "engine/analysis/article_tables.h"
#include "ui/format/format.h"
#include "ui/pages/form_editors.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/theme.h"
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

namespace halfstep::ui {
namespace {

using values::RunStatus;

QString textOf(const SweepEntry& entry) {
    const std::string_view status = nameOf(entry.status);
    const QString cells = entry.cells == 1 ? SweepPicker::tr("1 cell") : SweepPicker::tr("%1 cells").arg(entry.cells);
    return SweepPicker::tr("Sweep %1 · %2 · %3 · %4")
        .arg(entry.id)
        .arg(cells, QString::fromUtf8(status.data(), static_cast<qsizetype>(status.size())),
             localTime(QString::fromStdString(entry.startedAt)));
}

/// "drawn sample · 256 px · CPU AVX2, 2 threads · 3 rounds of 30 steps after 5 of warm-up · limit 400 MB"
QString captionOf(const values::Sweep& sweep) {
    const values::SweepConfig& config = sweep.config;
    QStringList parts{QString::fromStdString(sweep.dataName), QStringLiteral("%1 px").arg(config.base.imageSize)};
    const auto made = std::ranges::find_if(sweep.cells, [](const auto& cell) { return !cell.deviceText.empty(); });
    if (made != sweep.cells.end()) {
        parts << QString::fromStdString(made->deviceText);
    }
    parts << SweepPicker::tr("%1 × %2 steps, %3 of warm-up").arg(config.repeats).arg(config.steps).arg(config.warmup);
    if (config.base.memoryLimitBytes) {
        parts << SweepPicker::tr("limit %1").arg(bytes(*config.base.memoryLimitBytes));
    }
    return parts.join(QStringLiteral(" · "));
}

std::vector<std::size_t> disturbedCells(const MeasuredSweep& measured) {
    std::vector<std::size_t> cells;
    for (std::size_t i = 0; i < measured.figures.size(); ++i) {
        if (measured.figures[i].status == values::CellStatus::Disturbed) {
            cells.push_back(i);
        }
    }
    return cells;
}

} // namespace

SweepPicker::SweepPicker(QWidget* parent)
    : QWidget(parent),
      m_sweeps(choiceBox()),
      m_article(choiceBox()),
      m_caption(new ElidedLabel(Qt::ElideRight)),
      m_resume(new QPushButton(tr("Go on"))),
      m_more(new QPushButton(tr("More rounds"))),
      m_again(new QPushButton),
      m_export(new QPushButton(tr("Export…"))) {
    m_sweeps->setObjectName(QStringLiteral("sweepChoice"));
    m_sweeps->setAccessibleName(tr("Sweep of the history"));
    m_sweeps->setMinimumContentsLength(36);
    m_article->setObjectName(QStringLiteral("articleChoice"));
    m_article->setAccessibleName(tr("The article's machine beside your own"));
    m_article->setToolTip(
        tr("Published times of the article that this program repeats (RStudio AI blog, 2020), beside "
           "your own"));
    m_article->addItem(tr("Article: none"), -1);
    int index = 0;
    for (const analysis::ArticleMachine& machine : analysis::articleMachines()) {
        m_article->addItem(tr("Article: %1").arg(QString::fromStdString(machine.name)), index++);
        m_article->setItemData(index, QString::fromStdString(machine.about), Qt::ToolTipRole);
    }
    m_article->setMinimumContentsLength(18);
    m_caption->setProperty("role", "caption");
    m_caption->setObjectName(QStringLiteral("sweepCaption"));
    m_resume->setObjectName(QStringLiteral("resumeSweep"));
    m_more->setObjectName(QStringLiteral("moreRounds"));
    m_again->setObjectName(QStringLiteral("measureAgain"));
    m_export->setObjectName(QStringLiteral("exportSweep"));
    m_export->setToolTip(tr("Write the cells of this sweep to a file (Ctrl+E in the grid)"));

    auto* top = new QHBoxLayout;
    top->setSpacing(kGrid);
    top->addWidget(m_sweeps, 1);
    top->addWidget(m_article);
    top->addWidget(m_export);
    auto* below = new QHBoxLayout;
    below->setSpacing(kGrid);
    below->addWidget(m_caption, 1);
    below->addWidget(m_resume);
    below->addWidget(m_more);
    below->addWidget(m_again);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addLayout(top);
    layout->addLayout(below);

    connect(m_sweeps, &QComboBox::currentIndexChanged, this, [this] {
        if (const auto sweep = chosen()) {
            emit sweepChosen(*sweep);
        }
    });
    connect(m_article, &QComboBox::currentIndexChanged, this,
            [this] { emit articleChosen(m_article->currentData().toInt()); });
    const auto want = [this](int moreRounds, bool again) {
        emit continuationWanted({.sweep = m_shown->sweep.id,
                                 .moreRounds = moreRounds,
                                 .anew = again ? disturbedCells(*m_shown) : std::vector<std::size_t>{}});
    };
    connect(m_resume, &QPushButton::clicked, this, [want] { want(0, false); });
    connect(m_more, &QPushButton::clicked, this,
            [this, want] { want(std::max(m_shown->sweep.config.repeats, 1), false); });
    connect(m_again, &QPushButton::clicked, this, [want] { want(0, true); });
    connect(m_export, &QPushButton::clicked, this, &SweepPicker::exportWanted);
    setShown(nullptr, false, {});
}

void SweepPicker::setSweeps(const std::vector<SweepEntry>& sweeps) {
    if (sweeps == m_entries) {
        return;
    }
    m_entries = sweeps;
    const QSignalBlocker quiet(m_sweeps);
    const std::optional<std::int64_t> before = chosen();
    m_sweeps->clear();
    for (const SweepEntry& entry : sweeps) {
        m_sweeps->addItem(textOf(entry), static_cast<qlonglong>(entry.id));
    }
    if (before) {
        choose(*before);
    }
}

void SweepPicker::choose(std::int64_t sweep) {
    const QSignalBlocker quiet(m_sweeps);
    m_sweeps->setCurrentIndex(m_sweeps->findData(static_cast<qlonglong>(sweep)));
}

std::optional<std::int64_t> SweepPicker::chosen() const {
    const QVariant current = m_sweeps->currentData();
    return current.isValid() ? std::optional<std::int64_t>(current.toLongLong()) : std::nullopt;
}

void SweepPicker::setShown(const MeasuredSweepPtr& shown, bool measuring, const QString& reason) {
    m_shown = shown;
    m_caption->setVisible(shown != nullptr);
    static_cast<ElidedLabel*>(m_caption)->setFullText(shown ? captionOf(shown->sweep) : QString());
    const bool ended = shown && !measuring && shown->sweep.status != RunStatus::Running;
    const bool free = ended && reason.isEmpty();
    const auto disturbed = shown ? disturbedCells(*shown).size() : 0;
    m_resume->setVisible(ended && shown->cellRoundsLeft > 0);
    m_more->setVisible(ended && shown->cellRoundsLeft == 0);
    m_again->setVisible(ended && disturbed > 0);
    m_again->setText(disturbed == 1 ? tr("Measure 1 disturbed cell again")
                                    : tr("Measure %1 disturbed cells again").arg(disturbed));
    for (QPushButton* button : {m_resume, m_more, m_again}) {
        button->setEnabled(free);
    }
    m_resume->setToolTip(reason.isEmpty() && shown
                             ? tr("Measure the rounds of cells that are missing: %1").arg(shown->cellRoundsLeft)
                             : reason);
    m_more->setToolTip(reason.isEmpty() && shown ? tr("Measure %1 rounds more, which makes the intervals narrower")
                                                       .arg(std::max(shown->sweep.config.repeats, 1))
                                                 : reason);
    m_again->setToolTip(reason.isEmpty() ? tr("Forget the rounds of the cells that other work disturbed, and measure "
                                              "them anew")
                                         : reason);
    m_export->setEnabled(shown != nullptr);
}

QString SweepPicker::caption() const {
    return m_caption->toolTip();
}

} // namespace halfstep::ui
