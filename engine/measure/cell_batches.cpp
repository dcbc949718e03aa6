#include "engine/measure/cell_batches.h"
#include "engine/measure/endless_order.h"
#include "engine/tensor/error.h"
#include "engine/tensor/random.h"

namespace halfstep::measure {
namespace {

class Pipeline final : public CellBatches {
public:
    Pipeline(std::shared_ptr<const data::Dataset> dataset, std::vector<std::int64_t> order, int batchSize)
        : m_loader(std::move(dataset), data::Split::Train, std::move(order), batchSize) {}

    const data::Batch& next() override {
        const data::Batch* batch = m_loader.next();
        if (batch == nullptr) {
            throw Error("More batches were asked for than the cell has steps.");
        }
        return *batch;
    }

private:
    data::DataLoader m_loader;
};

class Synthetic final : public CellBatches {
public:
    explicit Synthetic(data::Batch batch) : m_batch(std::move(batch)) {}
    const data::Batch& next() override { return m_batch; }

private:
    data::Batch m_batch;
};

} // namespace

std::unique_ptr<CellBatches> pipelineBatches(std::shared_ptr<const data::Dataset> dataset, std::uint64_t seed,
                                             int batchSize, std::int64_t steps) {
    std::vector<std::int64_t> order = endlessOrder(*dataset, seed, steps * batchSize);
    return std::make_unique<Pipeline>(std::move(dataset), std::move(order), batchSize);
}

std::unique_ptr<CellBatches> syntheticBatches(int imageSize, std::int64_t classes, std::uint64_t seed,
                                              int batchSize) {
    data::Batch batch;
    batch.size = batchSize;
    batch.images.resize(static_cast<std::size_t>(batchSize) * static_cast<std::size_t>(imageSize) *
                        static_cast<std::size_t>(imageSize) * 3);
    tensor::Random random(seed);
    for (std::uint8_t& value : batch.images) {
        value = static_cast<std::uint8_t>(random.next() >> 56);
    }
    for (int i = 0; i < batchSize; ++i) {
        batch.labels.push_back(i % classes);
        batch.photographs.push_back(i);
    }
    return std::make_unique<Synthetic>(std::move(batch));
}

} // namespace halfstep::measure
