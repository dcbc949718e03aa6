#pragma once

namespace halfstep::nn {

/// Training normalizes by the statistics of the batch and keeps what the backward pass needs; inference normalizes by
/// the moving averages.
enum class Mode { Training, Inference };

} // namespace halfstep::nn
