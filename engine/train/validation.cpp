#include "engine/train/validation.h"
#include "engine/backend/backend.h"
#include "engine/data/data_loader.h"
#include <algorithm>
#include <numeric>

namespace halfstep::train {
namespace {
constexpr std::int64_t kGuesses = 12;

std::vector<std::int64_t> spreadOver(std::int64_t count) {
    std::vector<std::int64_t> chosen;
    const std::int64_t wanted = std::min(kGuesses, count);
    for (std::int64_t i = 0; i < wanted; ++i) {
        chosen.push_back((2 * i + 1) * count / (2 * wanted));
    }
    return chosen;
}
} // namespace

std::optional<ValidationResult> validate(nn::ConvNet& network, backend::Backend& device,
                                         const std::shared_ptr<const data::Dataset>& dataset, int batchSize,
                                         const std::function<bool(std::int64_t)>& goesOn) {
    const std::int64_t count = static_cast<std::int64_t>(dataset->photographs(data::Split::Validation).size());
    const std::size_t classes = dataset->info().classes.size();
    const std::vector<std::int64_t> shown = spreadOver(count);
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    data::DataLoader loader(dataset, data::Split::Validation, std::move(order), batchSize);

    ValidationResult result;
    double lossSum = 0;
    std::int64_t correct = 0, done = 0, seen = 0;
    std::vector<float> probabilities(static_cast<std::size_t>(batchSize) * classes);
    while (const data::Batch* batch = loader.next()) {
        device.normalizeImages(batch->images, network.input(batch->size));
        network.forward(nn::Mode::Inference);
        const backend::LossResult loss = network.loss(batch->labels, std::nullopt, probabilities);
        lossSum += loss.lossSum;
        correct += loss.correct;
        for (std::size_t i = 0; i < static_cast<std::size_t>(batch->size); ++i) {
            if (std::binary_search(shown.begin(), shown.end(), batch->photographs[i])) {
                const auto first = probabilities.begin() + static_cast<std::ptrdiff_t>(i * classes);
                const auto best = std::max_element(first, first + static_cast<std::ptrdiff_t>(classes));
                result.guesses.push_back({.photograph = batch->photographs[i],
                                          .truth = static_cast<int>(batch->labels[i]),
                                          .predicted = static_cast<int>(best - first),
                                          .probability = static_cast<double>(*best)});
            }
        }
        seen += batch->size;
        if (!goesOn(++done) && seen < count) {
            return std::nullopt;
        }
    }
    result.loss = lossSum / static_cast<double>(count);
    result.accuracy = static_cast<double>(correct) / static_cast<double>(count);
    return result;
}

} // namespace halfstep::train
