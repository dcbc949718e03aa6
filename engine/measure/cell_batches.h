#pragma once
#include "engine/data/data_loader.h"
#include "engine/data/dataset.h"
#include "engine/values/sweep.h"
#include <cstdint>
#include <memory>

namespace halfstep::measure {

/// The batches of one round of a cell: always whole, and the same in every round and for every policy.
class CellBatches {
public:
    virtual ~CellBatches() = default;
    /// The next one, waiting for it if need be. Valid until the next call.
    virtual const data::Batch& next() = 0;
};

/// `steps` batches of the training split through a loader, in the order of a run with this seed.
std::unique_ptr<CellBatches> pipelineBatches(std::shared_ptr<const data::Dataset> dataset, std::uint64_t seed,
                                             int batchSize, std::int64_t steps);

/// One batch of noise from the seed, over and over, with labels 0, 1, ... in turn.
std::unique_ptr<CellBatches> syntheticBatches(int imageSize, std::int64_t classes, std::uint64_t seed, int batchSize);

} // namespace halfstep::measure
