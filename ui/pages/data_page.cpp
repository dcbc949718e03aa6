#include "ui/pages/data_page.h"
#include "engine/store/run_export.h"
#include "ui/format/format.h"
#include "ui/pages/data_browser.h"
#include "ui/pages/data_detail.h"
#include "ui/pages/data_listing.h"
#include "ui/pages/data_source_panel.h"
#include "ui/widgets/banner.h"
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace halfstep::ui {
namespace {

constexpr auto kFolderKey = "data/folder";
constexpr auto kListingFolderKey = "export/folder";

QString remembered(const QSettings* settings, const char* key) {
    return settings ? settings->value(QLatin1String(key)).toString() : QString();
}

} // namespace

DataPage::DataPage(const AppContext& context, QWidget* parent, DatasetOpener::OpenFunction open)
    : Page(parent),
      m_context(context),
      m_opener(context.places.cacheFolder, nullptr, std::move(open)),
      m_banner(new Banner),
      m_stack(new QStackedWidget),
      m_sourcePanel(new DataSourcePanel),
      m_browser(new DataBrowser),
      m_detail(new DataDetail) {
    setObjectName(QStringLiteral("dataPage"));
    setAccessibleName(tr("Data"));
    m_loading = makeLoadingPage();
    for (QWidget* state : {static_cast<QWidget*>(m_sourcePanel), m_loading, static_cast<QWidget*>(m_browser),
                           static_cast<QWidget*>(m_detail)}) {
        m_stack->addWidget(state);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    layout->addWidget(m_banner);
    layout->addWidget(m_stack, 1);

    connect(&m_opener, &DatasetOpener::started, this, [this] { showProgress(tr("Opening the photographs"), 0, 0); });
    connect(&m_opener, &DatasetOpener::progress, this, &DataPage::showProgress);
    connect(&m_opener, &DatasetOpener::opened, this, &DataPage::showDataset);
    connect(&m_opener, &DatasetOpener::failed, this, [this](const QString&, const QString& message) {
        m_sourcePanel->setTexts(tr("These photographs cannot be used"), message, tr("Try again"));
        m_stack->setCurrentWidget(m_sourcePanel);
    });
    connect(&m_opener, &DatasetOpener::cancelled, this, [this] {
        m_sourcePanel->setTexts(tr("Opening was stopped"), tr("Go on with the same photographs, or choose others."),
                                tr("Go on"));
        m_stack->setCurrentWidget(m_sourcePanel);
    });
    connect(m_sourcePanel, &DataSourcePanel::sampleChosen, this,
            [this] { emit dataSourceChosen(QStringLiteral("sample")); });
    connect(m_sourcePanel, &DataSourcePanel::chooseFolder, this, [this] { chooseSource(false); });
    connect(m_sourcePanel, &DataSourcePanel::chooseArchive, this, [this] { chooseSource(true); });
    connect(m_sourcePanel, &DataSourcePanel::retryWanted, this, &DataPage::openSource);
    connect(m_browser, &DataBrowser::opened, this, &DataPage::showDetail);
    connect(m_detail, &DataDetail::backWanted, this, &DataPage::leaveDetail);
    connect(m_detail, &DataDetail::stepWanted, this, [this](int by) {
        const int row = std::clamp(m_detailRow + by, 0, m_browser->photographs().rowCount() - 1);
        if (row != m_detailRow) {
            showDetail(row);
        }
    });
}

QWidget* DataPage::makeLoadingPage() {
    auto* page = new QWidget;
    m_activity = new QLabel;
    m_activity->setProperty("role", "heading");
    m_amount = new QLabel;
    m_amount->setProperty("role", "caption");
    m_bar = new QProgressBar;
    m_bar->setObjectName(QStringLiteral("dataProgress"));
    m_bar->setAccessibleName(tr("Opening the photographs"));
    m_bar->setTextVisible(false);
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("dataCancel"));
    connect(cancel, &QPushButton::clicked, &m_opener, &DatasetOpener::cancel);

    auto* column = new QWidget;
    column->setFixedWidth(50 * kGrid);
    auto* inner = new QVBoxLayout(column);
    inner->setSpacing(kGrid);
    inner->addWidget(m_activity);
    inner->addWidget(m_bar);
    inner->addWidget(m_amount);
    inner->addSpacing(kGrid);
    inner->addWidget(cancel, 0, Qt::AlignLeft);
    auto* layout = new QVBoxLayout(page);
    layout->addStretch(2);
    layout->addWidget(column, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    return page;
}

void DataPage::setDataSource(const QString& source, int imageSize) {
    if (source == m_source && imageSize == m_imageSize && !m_stale && m_opener.dataset()) {
        return;
    }
    m_source = source;
    m_imageSize = imageSize;
    m_stale = true;
    if (isVisible()) {
        openSource();
    }
}

void DataPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (m_stale) {
        openSource();
    }
}

void DataPage::openSource() {
    m_stale = false;
    if (m_source.isEmpty()) {
        m_opener.cancel();
        m_stack->setCurrentWidget(m_sourcePanel);
        return;
    }
    m_opener.open(m_source, m_imageSize);
}

void DataPage::showProgress(const QString& activity, qint64 done, qint64 total) {
    m_activity->setText(activity);
    m_bar->setRange(0, 1000); // counts may be more than an int holds
    m_bar->setValue(total > 0 ? static_cast<int>(1000.0 * static_cast<double>(done) / static_cast<double>(total))
                              : 0);
    if (total <= 0) {
        m_bar->setRange(0, 0); // busy
    }
    m_amount->setText(total > 0  ? tr("%1 of %2").arg(count(done), count(total))
                      : done > 0 ? count(done)
                                 : QStringLiteral(" "));
    m_stack->setCurrentWidget(m_loading);
}

void DataPage::showDataset(const std::shared_ptr<const data::Dataset>& dataset) {
    m_banner->dismiss();
    m_browser->setDataset(dataset);
    const bool inPage = isAncestorOf(QApplication::focusWidget());
    m_stack->setCurrentWidget(m_browser);
    if (inPage) {
        m_browser->focusGrid(); // the button that had the focus has gone with its state
    }
    const auto pictures = [&](data::Split split) {
        return static_cast<std::int64_t>(dataset->photographs(split).size());
    };
    emit dataCounted(m_source, {.classes = static_cast<std::int64_t>(dataset->info().classes.size()),
                                .train = pictures(data::Split::Train),
                                .validation = pictures(data::Split::Validation)});
}

void DataPage::showDetail(int row) {
    const PhotographModel& photographs = m_browser->photographs();
    if (row < 0 || row >= photographs.rowCount()) {
        return;
    }
    m_detailRow = row;
    m_browser->setCurrentRow(row);
    m_detail->showPhotograph(photographs.dataset(), photographs.split(), photographs.photographAt(row), row,
                             photographs.rowCount());
    if (m_stack->currentWidget() != m_detail) {
        m_stack->setCurrentWidget(m_detail);
        m_detail->setFocus();
    }
}

void DataPage::leaveDetail() {
    m_stack->setCurrentWidget(m_browser);
    m_browser->setCurrentRow(m_detailRow);
    m_browser->focusGrid();
}

void DataPage::chooseSource(bool archive) {
    const QString folder = remembered(m_context.settings, kFolderKey);
    const QString chosen = archive
                               ? QFileDialog::getOpenFileName(this, tr("Open an archive of photographs"), folder,
                                                              tr("Archives (*.tgz *.tar.gz);;All files (*)"))
                               : QFileDialog::getExistingDirectory(this, tr("Open a folder of photographs"), folder);
    if (chosen.isEmpty()) {
        return;
    }
    if (m_context.settings) {
        m_context.settings->setValue(QLatin1String(kFolderKey), QFileInfo(chosen).absolutePath());
    }
    emit dataSourceChosen(chosen);
}

void DataPage::exportShown() {
    const auto& dataset = m_opener.dataset();
    if (!dataset || m_stack->currentWidget() == m_loading || m_stack->currentWidget() == m_sourcePanel) {
        m_banner->showMessage(Banner::Kind::Information,
                              tr("There is nothing to export yet: open photographs first."));
        return;
    }
    const QString suggestion = remembered(m_context.settings, kListingFolderKey) + QStringLiteral("/photographs.csv");
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Export the list of files"), suggestion, tr("CSV (*.csv)"));
    if (file.isEmpty()) {
        return;
    }
    if (m_context.settings) {
        m_context.settings->setValue(QLatin1String(kListingFolderKey), QFileInfo(file).absolutePath());
    }
    try {
        store::writeFileAtomically(file.toStdString(), listingCsv(*dataset));
        m_banner->showMessage(Banner::Kind::Success, tr("Written to %1.").arg(file));
    } catch (const std::exception& error) {
        m_banner->showMessage(Banner::Kind::Error, QString::fromUtf8(error.what()));
    }
}

void DataPage::setTheme(const Theme& theme) {
    m_browser->setTheme(theme);
    m_detail->setTheme(theme);
}

void DataPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_stack->currentWidget() == m_detail) {
        leaveDetail();
        return;
    }
    Page::keyPressEvent(event);
}

} // namespace halfstep::ui
