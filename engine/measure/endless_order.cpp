#include "engine/measure/endless_order.h"
#include "engine/data/data_loader.h"

namespace halfstep::measure {

std::vector<std::int64_t> endlessOrder(const data::Dataset& dataset, std::uint64_t seed, std::int64_t photographs) {
    const auto count = static_cast<std::int64_t>(dataset.photographs(data::Split::Train).size());
    std::vector<std::int64_t> order;
    for (int epoch = 1; static_cast<std::int64_t>(order.size()) < photographs; ++epoch) {
        const std::vector<std::int64_t> more = data::shuffledOrder(count, seed, epoch);
        order.insert(order.end(), more.begin(), more.end());
    }
    order.resize(static_cast<std::size_t>(photographs));
    return order;
}

} // namespace halfstep::measure
