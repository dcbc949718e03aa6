#pragma once
#include "ui/bridge/dataset_opener.h"
#include "ui/pages/page.h"
#include <QString>

class QLabel;
class QProgressBar;
class QStackedWidget;

namespace halfstep::ui {

class Banner;
class DataBrowser;
class DataDetail;
class DataSourcePanel;

/// The photographs of the experiment's set: opened when the page is first seen, browsed, looked at one by one.
class DataPage : public Page {
    Q_OBJECT

public:
    explicit DataPage(const AppContext& context, QWidget* parent = nullptr,
                      DatasetOpener::OpenFunction open = data::openDataset);

    void setTheme(const Theme& theme) override;
    /// Exports the table of skipped files or of photographs as CSV: this page has no charts.
    void exportShown() override;
    void setDataSource(const QString& source, int imageSize) override;

    DataBrowser* browser() const { return m_browser; }
    DataDetail* detail() const { return m_detail; }

protected:
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* makeLoadingPage();
    void openSource();
    void showProgress(const QString& activity, qint64 done, qint64 total);
    void showDataset(const std::shared_ptr<const data::Dataset>& dataset);
    void showDetail(int row);
    void leaveDetail();
    void chooseSource(bool archive);

    AppContext m_context;
    DatasetOpener m_opener;
    QString m_source;
    int m_imageSize = 256;
    bool m_stale = false; ///< the source is not the one that shows

    Banner* m_banner;
    QStackedWidget* m_stack;
    DataSourcePanel* m_sourcePanel;
    QWidget* m_loading = nullptr;
    QLabel* m_activity = nullptr;
    QLabel* m_amount = nullptr;
    QProgressBar* m_bar = nullptr;
    DataBrowser* m_browser;
    DataDetail* m_detail;
    int m_detailRow = -1;
};

} // namespace halfstep::ui
