#pragma once
#include "engine/report/run_tables.h"
#include <vector>

namespace halfstep::report {

/// Do the policies learn equally well? One table for each set of runs that differ in nothing but policy and seed (and
/// what changes no number), were made on the same pictures, and have at least two policies with a validation
/// accuracy: a row a policy with its seeds, mean and spread after the last epoch, and the difference from float32 (or
/// the first policy, if there is none) with its 95 % interval. The notes are the statements of
/// analysis::accuracySentence.
std::vector<Table> accuracyTables(const std::vector<RunRecord>& runs);

} // namespace halfstep::report
