#include "engine/analysis/article_tables.h"
#include <algorithm>
#include <set>

namespace halfstep::analysis {
namespace {
using precision::Policy;

constexpr double kOutOfMemory = 0;

/// A row of the article's table, ms of a step.
struct Row {
    int batchSize;
    double mixed;
    double float32;
};

ArticleMachine gpu(std::string name, std::string about, const std::vector<Row>& rows) {
    ArticleMachine machine{std::move(name), std::move(about), {}};
    const auto time = [](double ms) { return ms == kOutOfMemory ? std::nullopt : std::optional(ms); };
    for (const Row& row : rows) {
        machine.cells.push_back(
            {.policy = Policy::MixedFloat16, .batchSize = row.batchSize, .milliseconds = time(row.mixed)});
        machine.cells.push_back(
            {.policy = Policy::Float32, .batchSize = row.batchSize, .milliseconds = time(row.float32)});
    }
    return machine;
}

ArticleMachine quadro() {
    ArticleMachine machine = gpu("Quadro M2200", "Quadro M2200, 4 GB, compute capability 5.2",
                                 {{32, 186, 197},
                                  {64, 352, 375},
                                  {128, 687, 746},
                                  {256, 1000, kOutOfMemory},
                                  {512, kOutOfMemory, kOutOfMemory}});
    const auto rounded = std::ranges::find(machine.cells, std::optional(1000.0), &ArticleCell::milliseconds);
    rounded->doubt = "Printed as \"1s\": from one second up Keras shows whole seconds, so it took 1000 to 1499 ms.";
    return machine;
}

/// The article gives one time for each build and names no policy; they stand with float32, which both compute in.
ArticleMachine cpu() {
    const std::string doubt =
        "Printed as seconds, which does not fit the hardware: at 8.7 GFLOP an image, a step of 32 "
        "would run at under 1 GFLOP/s.";
    return {"CPU",
            "Core i7, 2.9 GHz",
            {{.milliseconds = 321'000, .build = "stock binary", .doubt = doubt},
             {.milliseconds = 304'000, .build = "built for AVX2 and FMA", .doubt = doubt}}};
}

} // namespace

std::vector<ArticleCell> ArticleMachine::at(Policy policy, int batchSize) const {
    std::vector<ArticleCell> found;
    std::ranges::copy_if(cells, std::back_inserter(found), [&](const ArticleCell& cell) {
        return cell.policy == policy && cell.batchSize == batchSize;
    });
    return found;
}

std::vector<int> ArticleMachine::batchSizes() const {
    std::set<int> sizes;
    for (const ArticleCell& cell : cells) {
        sizes.insert(cell.batchSize);
    }
    return {sizes.begin(), sizes.end()};
}

std::optional<double> ArticleMachine::speedUp(int batchSize) const {
    const auto mixed = at(Policy::MixedFloat16, batchSize), single = at(Policy::Float32, batchSize);
    const auto certain = [](const std::vector<ArticleCell>& found) {
        return found.size() == 1 && found.front().milliseconds && found.front().doubt.empty();
    };
    if (!certain(mixed) || !certain(single)) {
        return std::nullopt;
    }
    return *single.front().milliseconds / *mixed.front().milliseconds;
}

const std::vector<ArticleMachine>& articleMachines() {
    static const std::vector<ArticleMachine> machines{
        gpu("V100", "V100, 16 GB, compute capability 7.0",
            {{32, 28, 30}, {64, 52, 56}, {128, 97, 106}, {256, 188, 206}, {512, 377, 415}}),
        gpu("Titan XP", "Titan XP, 12 GB, compute capability 6.1",
            {{32, 44, 38}, {64, 70, 70}, {128, 142, 136}, {256, 270, 270}, {512, 518, 539}}),
        quadro(), cpu()};
    return machines;
}

} // namespace halfstep::analysis
