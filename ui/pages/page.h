#pragma once
#include "engine/values/memory.h"
#include "ui/bridge/app_context.h"
#include "ui/widgets/theme.h"
#include <QString>
#include <QWidget>

namespace halfstep::ui {

/// One tab of the window. The window calls the virtual members, the page answers by signals; pages do not know each
/// other, nor the window. Constructed with an AppContext; setTheme() follows before the page is first shown.
class Page : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// The palette and style sheet have changed already; what paints by itself (charts) takes its colours here.
    virtual void setTheme(const Theme& theme) = 0;
    /// Ctrl+E: offers to export what the page shows (its focused chart, or the first). Says so in the page if there
    /// is nothing yet.
    virtual void exportShown() = 0;
    /// The data source or image size of the experiment form is now this. Called also before the page is first shown:
    /// heavy work waits for showEvent().
    virtual void setDataSource(const QString& /*source*/, int /*imageSize*/) {}
    /// A run has begun, ended or been deleted.
    virtual void historyChanged() {}

signals:
    /// The user picked or dropped a source here; the form takes it over.
    void dataSourceChosen(const QString& source);
    /// The page's empty state offers to start an experiment: the window goes to the form's Start button.
    void experimentWanted();
    /// The set is open: the form can say how many steps an epoch has.
    void dataCounted(const QString& source, const halfstep::values::SetCounts& counts);
    /// The page has deleted runs.
    void historyEdited();
};

} // namespace halfstep::ui
