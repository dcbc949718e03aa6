#pragma once
#include "engine/data/dataset.h"
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace halfstep::data {

/// The order in which an epoch reads `count` photographs: a full Fisher-Yates shuffle from `seed` and `epoch` alone,
/// so that every policy, machine and thread count sees the same batches.
std::vector<std::int64_t> shuffledOrder(std::int64_t count, std::uint64_t seed, int epoch);

/// images [n, imageSize, imageSize, 3] uint8 in RGB, labels [n].
struct Batch {
    int size = 0;
    std::vector<std::uint8_t> images;
    std::vector<std::int64_t> labels;
    std::vector<std::int64_t> photographs; ///< index in the split of each image
};

/// Gathers batches on a thread of its own, two ahead of the reader.
class DataLoader {
public:
    /// Reads the photographs of `split` in `order`, `batchSize` at a time; the last batch may be smaller.
    DataLoader(std::shared_ptr<const Dataset> dataset, Split split, std::vector<std::int64_t> order, int batchSize);
    ~DataLoader();
    DataLoader(const DataLoader&) = delete;
    DataLoader& operator=(const DataLoader&) = delete;

    /// The next batch, waiting for it if need be; nullptr after the last. Valid until the next call.
    const Batch* next();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace halfstep::data
