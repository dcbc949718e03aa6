#pragma once
#include "ui/pages/page.h"

namespace halfstep::ui {

class CompareRuns;

/// The runs of the history side by side.
class ComparePage : public Page {
    Q_OBJECT

public:
    explicit ComparePage(const AppContext& context, QWidget* parent = nullptr);
    ~ComparePage() override;

    void setTheme(const Theme& theme) override;
    void exportShown() override;
    void historyChanged() override;

    CompareRuns* runs() const { return m_runs; }

private:
    CompareRuns* m_runs;
};

} // namespace halfstep::ui
