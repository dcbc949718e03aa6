#pragma once
#include "engine/train/checkpoint.h"
#include <nlohmann/json_fwd.hpp>

namespace halfstep::train {

/// Version of state.json; raised when an older program could not go on from it.
inline constexpr std::int64_t kCheckpointFormat = 1;

/// Numbers survive to the bit.
nlohmann::ordered_json toJson(const CheckpointState& state);

/// Throws DataError whose text is a reason to follow a colon ("it lacks \"step\"").
CheckpointState checkpointStateFrom(const nlohmann::ordered_json& json);

} // namespace halfstep::train
