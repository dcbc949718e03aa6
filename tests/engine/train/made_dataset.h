#pragma once
#include "engine/data/dataset.h"
#include <memory>

namespace halfstep::tests {

/// A set of `train` and `validation` pictures made in memory, in two classes that a network tells apart easily:
/// bright left half, bright right half, with noise.
std::shared_ptr<const data::Dataset> madeDataset(int train, int validation, int imageSize);

} // namespace halfstep::tests
