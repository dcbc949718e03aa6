#pragma once
#include "engine/store/atomic_file.h"
#include "engine/values/run_event.h"
#include <cstdint>
#include <filesystem>
#include <string>

namespace halfstep::app {

/// The file of `train --csv`: grows row by row under a temporary name while the run goes on, and takes its own name
/// when `finish` is called, however the run ended.
class StepsCsvFile {
public:
    /// Throws StoreError if the file cannot be made: better before the run than after.
    explicit StepsCsvFile(const std::filesystem::path& file);

    /// Never throws: a row that cannot be written is told by `finish`.
    void take(const values::RunEvent& event) noexcept;

    /// Throws StoreError if the file could not be written in full.
    void finish();

private:
    store::AtomicFile m_file;
    std::int64_t m_run = 0;
    std::string m_trouble; ///< why a row could not be written; empty if all is well
};

} // namespace halfstep::app
