#include "engine/data/data_loader.h"
#include "engine/tensor/error.h"
#include "engine/tensor/random.h"
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <numeric>
#include <system_error>
#include <thread>

namespace halfstep::data {

std::vector<std::int64_t> shuffledOrder(std::int64_t count, std::uint64_t seed, int epoch) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    // The epoch goes through the generator, so that seed 1 epoch 2 is not seed 2 epoch 1.
    tensor::Random random(tensor::Random(seed).next() + static_cast<std::uint64_t>(epoch));
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random.below(i)]);
    }
    return order;
}

struct DataLoader::State {
    static constexpr std::size_t ahead = 2; // batches

    std::shared_ptr<const Dataset> dataset;
    Split split{};
    std::vector<std::int64_t> order;
    std::size_t batchSize = 1;

    std::mutex mutex;
    std::condition_variable_any changed;
    std::deque<Batch> ready;
    bool done = false;
    std::exception_ptr failure;
    Batch current;       // of the reader
    std::jthread worker; // last, so that it has ended before anything that it uses goes

    Batch gather(std::size_t first) const;
    void fill(const std::stop_token& stop);
};

Batch DataLoader::State::gather(std::size_t first) const {
    const std::size_t size = std::min(batchSize, order.size() - first);
    const auto& photographs = dataset->photographs(split);
    Batch batch;
    batch.size = static_cast<int>(size);
    batch.photographs.assign(order.begin() + static_cast<std::ptrdiff_t>(first),
                             order.begin() + static_cast<std::ptrdiff_t>(first + size));
    const auto side = static_cast<std::size_t>(dataset->info().imageSize);
    batch.images.reserve(size * side * side * 3);
    for (const std::int64_t index : batch.photographs) {
        batch.labels.push_back(photographs.at(static_cast<std::size_t>(index)).label);
        const auto pixels = dataset->pixels(split, index);
        batch.images.insert(batch.images.end(), pixels.begin(), pixels.end());
    }
    return batch;
}

void DataLoader::State::fill(const std::stop_token& stop) {
    try {
        for (std::size_t first = 0; first < order.size() && !stop.stop_requested(); first += batchSize) {
            Batch batch = gather(first);
            std::unique_lock lock(mutex);
            if (!changed.wait(lock, stop, [&] { return ready.size() < ahead; })) {
                return;
            }
            ready.push_back(std::move(batch));
            changed.notify_all();
        }
    } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_all();
}

DataLoader::DataLoader(std::shared_ptr<const Dataset> dataset, Split split, std::vector<std::int64_t> order,
                       int batchSize)
    : m_state(std::make_unique<State>()) {
    if (dataset == nullptr || batchSize < 1) {
        throw ShapeError("DataLoader: needs a set and a batch size of at least 1");
    }
    m_state->dataset = std::move(dataset);
    m_state->split = split;
    m_state->order = std::move(order);
    m_state->batchSize = static_cast<std::size_t>(batchSize);
    try {
        m_state->worker = std::jthread([state = m_state.get()](const std::stop_token& stop) { state->fill(stop); });
    } catch (const std::system_error&) {
        throw OutOfMemoryError(
            "the stack of the thread that gathers batches wants memory that the system does not give",
            "End other programs, or choose a smaller batch size.");
    }
}

DataLoader::~DataLoader() = default;

const Batch* DataLoader::next() {
    std::unique_lock lock(m_state->mutex);
    m_state->changed.wait(lock, [&] { return !m_state->ready.empty() || m_state->done; });
    if (!m_state->ready.empty()) {
        m_state->current = std::move(m_state->ready.front());
        m_state->ready.pop_front();
        m_state->changed.notify_all();
        return &m_state->current;
    }
    if (m_state->failure) {
        std::rethrow_exception(m_state->failure);
    }
    return nullptr;
}

} // namespace halfstep::data
