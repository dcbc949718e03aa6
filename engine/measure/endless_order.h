#pragma once
#include "engine/data/dataset.h"
#include <cstdint>
#include <vector>

namespace halfstep::measure {

/// The order of as many epochs as hold `photographs` together, one after the other, and no more: batches cut from it
/// are whole, and a small set never ends.
std::vector<std::int64_t> endlessOrder(const data::Dataset& dataset, std::uint64_t seed, std::int64_t photographs);

} // namespace halfstep::measure
