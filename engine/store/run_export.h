#pragma once
#include "engine/store/run_store.h"
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <string_view>

namespace halfstep::store {

/// "run,step,epoch,batch_size,loss,accuracy,step_ms,data_wait_ms,loss_scale,skipped"
std::string_view stepsCsvHeader();
/// One row of the steps CSV, without the line end. The same text from `train --csv` and `runs export --csv`.
std::string stepsCsvRow(std::int64_t run, const values::StepRecord& step);

/// Header and all rows, lines ended by \n.
void writeStepsCsv(std::ostream& out, std::int64_t run, const std::vector<values::StepRecord>& steps);

/// The keys of `train --json`, then data_name, started_at, ended_at and (on demand) steps_log with the CSV's columns.
nlohmann::ordered_json runJson(const StoredRun& run, const std::vector<values::EpochRecord>& epochs,
                               const std::vector<values::StepRecord>* steps);

/// Writes under a temporary name in the same folder and renames: the file is whole or untouched. Throws StoreError
/// with the operating system's reason.
void writeFileAtomically(const std::filesystem::path& file, std::string_view content);

} // namespace halfstep::store
