#pragma once
#include "engine/backend/cuda/cuda_backend.h"
#include <cstdint>
#include <memory>
#include <optional>

namespace halfstep::support {

/// The card of the stand-in driver, tests/support/cuda/stand_in_driver.cpp.
std::shared_ptr<const backend::cuda::Context> standInCard();

/// A back end of it. `convolutions` may be null where none is made.
std::shared_ptr<backend::Backend> standInBackend(std::optional<std::uint64_t> limitBytes = std::nullopt,
                                                 std::shared_ptr<backend::cuda::Convolutions> convolutions = nullptr);

} // namespace halfstep::support
