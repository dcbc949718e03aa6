#pragma once
#include "engine/data/dataset.h"
#include <string>

namespace halfstep::ui {

/// Every file of a set as CSV: path, split, class, wnid, label, width, height, bytes, format, reason. Skipped files
/// have only a path and a reason. Lines ended by \n, fields quoted where they must be.
std::string listingCsv(const data::Dataset& dataset);

} // namespace halfstep::ui
