#include "ui/pages/compare_page.h"
#include "ui/pages/compare_runs.h"
#include <QVBoxLayout>

namespace halfstep::ui {

ComparePage::ComparePage(const AppContext& context, QWidget* parent)
    : Page(parent),
      m_runs(new CompareRuns(context)) {
    setObjectName(QStringLiteral("comparePage"));
    setAccessibleName(tr("Compare"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->addWidget(m_runs);
    connect(m_runs, &CompareRuns::experimentWanted, this, &ComparePage::experimentWanted);
    connect(m_runs, &CompareRuns::historyEdited, this, &ComparePage::historyEdited);
}

ComparePage::~ComparePage() = default;

void ComparePage::setTheme(const Theme& theme) {
    m_runs->setTheme(theme);
}

void ComparePage::exportShown() {
    m_runs->exportShown();
}

void ComparePage::historyChanged() {
    m_runs->historyChanged();
}

void ComparePage::showRuns(const std::vector<std::int64_t>& runs) {
    m_runs->runs().checkOnly({runs.begin(), runs.end()});
}

} // namespace halfstep::ui
