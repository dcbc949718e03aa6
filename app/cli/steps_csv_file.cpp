#include "app/cli/steps_csv_file.h"
#include "engine/store/run_export.h"
#include "engine/tensor/error.h"
#include <fmt/format.h>

namespace halfstep::app {

StepsCsvFile::StepsCsvFile(const std::filesystem::path& file) : m_file(file) {
    m_file.write(std::string(store::stepsCsvHeader()) + '\n');
}

void StepsCsvFile::take(const values::RunEvent& event) noexcept {
    try {
        if (const auto* plan = std::get_if<values::RunPlan>(&event)) {
            m_run = plan->run;
        } else if (const auto* step = std::get_if<values::StepRecord>(&event); step != nullptr && m_trouble.empty()) {
            m_file.write(store::stepsCsvRow(m_run, *step) + '\n');
        }
    } catch (const std::exception& error) {
        m_trouble = error.what();
    }
}

void StepsCsvFile::finish() {
    if (!m_trouble.empty()) {
        throw StoreError(
            fmt::format("{} The run's steps are in the history: `halfstep runs export {} --csv FILE` writes "
                        "them.",
                        m_trouble, m_run));
    }
    m_file.commit();
}

} // namespace halfstep::app
