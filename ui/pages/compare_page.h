#pragma once
#include "ui/pages/page.h"
#include <cstdint>
#include <vector>

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

    /// Puts these runs of the history side by side.
    void showRuns(const std::vector<std::int64_t>& runs);

    CompareRuns* runs() const { return m_runs; }

private:
    CompareRuns* m_runs;
};

} // namespace halfstep::ui
