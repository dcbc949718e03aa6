#include "tests/engine/numerics/geometry_classes.h"
#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace halfstep::support {
namespace {

using Pair = std::array<std::int64_t, 2>;

constexpr std::array<Pair, 14> kKernels{{{1, 1},
                                         {2, 2},
                                         {3, 3},
                                         {4, 4},
                                         {5, 5},
                                         {6, 6},
                                         {7, 7},
                                         {8, 8},
                                         {9, 9},
                                         {10, 10},
                                         {11, 11},
                                         {1, 7},
                                         {11, 2},
                                         {4, 9}}};
constexpr std::array<Pair, 11> kSizes{
    {{1, 1}, {1, 41}, {34, 1}, {2, 3}, {5, 5}, {8, 8}, {13, 10}, {16, 15}, {20, 33}, {37, 36}, {75, 74}}};
constexpr std::array<std::int64_t, 12> kChannels{1, 2, 3, 4, 7, 16, 17, 32, 33, 64, 100, 130};
constexpr std::array<std::int64_t, 12> kFilters{1, 2, 5, 10, 16, 24, 32, 33, 48, 64, 127, 130};
constexpr std::array<std::int64_t, 10> kBatches{1, 2, 3, 7, 8, 9, 16, 33, 64, 65};
constexpr std::array<DType, 3> kDTypes{DType::Float32, DType::Float16, DType::BFloat16};
constexpr std::array<int, 3> kThreads{2, 3, 5};
/// Levels of the factors in the order kernel, size, channels, filters, batch, stride, padding, dtype, threads.
constexpr std::array<int, 9> kLevels{
    kKernels.size(), kSizes.size(),  kChannels.size(), kFilters.size(), kBatches.size(), 2, 2,
    kDTypes.size(),  kThreads.size()};
constexpr std::size_t kFactors = kLevels.size();
/// Products of one pass: what the oracle does in a millisecond.
constexpr std::int64_t kMostProducts = 1'000'000;

/// A level of each factor; -1 where none is chosen yet.
using Choice = std::array<int, kFactors>;

template <class Values>
auto chosen(const Values& values, int level) {
    return values[static_cast<std::size_t>(std::max(level, 0))]; // the first is the cheapest
}

GeometryCase caseOf(const Choice& choice) {
    const Pair kernel = chosen(kKernels, choice[0]), size = chosen(kSizes, choice[1]);
    return {.geometry = {.batch = chosen(kBatches, choice[4]),
                         .height = size[0],
                         .width = size[1],
                         .channels = chosen(kChannels, choice[2]),
                         .filters = chosen(kFilters, choice[3]),
                         .kernel = kernel[0],
                         .stride = choice[5] == 1 ? 2 : 1,
                         .padding = choice[6] == 1 ? backend::Padding::Valid : backend::Padding::Same,
                         .kernelColumns = kernel[1]},
            .dtype = chosen(kDTypes, choice[7]),
            .threads = chosen(kThreads, choice[8])};
}

bool isAllowed(const Choice& choice) {
    const Geometry g = caseOf(choice).geometry;
    const bool inside = g.kernel <= g.height && g.kernelWidth() <= g.width;
    // An image that is not chosen yet may still become one that the kernel fits into.
    return (g.padding == backend::Padding::Same || inside || choice[1] < 0) &&
           (choice[1] < 0 || g.products() <= kMostProducts);
}

using LevelPair = std::tuple<std::size_t, int, std::size_t, int>;

LevelPair pairOf(const Choice& choice, std::size_t a, std::size_t b) {
    return {std::min(a, b), choice[std::min(a, b)], std::max(a, b), choice[std::max(a, b)]};
}

std::set<LevelPair> allPairs() {
    std::set<LevelPair> pairs;
    for (std::size_t a = 0; a < kFactors; ++a) {
        for (std::size_t b = a + 1; b < kFactors; ++b) {
            for (int i = 0; i < kLevels[a]; ++i) {
                for (int j = 0; j < kLevels[b]; ++j) {
                    pairs.insert({a, i, b, j});
                }
            }
        }
    }
    return pairs;
}

/// Of the levels of `factor` that are allowed, the one that makes the most pairs that are still open with what is
/// chosen; -1 if none is allowed. `turn` changes which of equals is taken.
int bestLevel(const Choice& choice, std::size_t factor, const std::set<LevelPair>& open, int turn) {
    int best = -1;
    std::ptrdiff_t most = -1;
    for (int i = 0; i < kLevels[factor]; ++i) {
        Choice tried = choice;
        tried[factor] = (i + turn) % kLevels[factor];
        if (!isAllowed(tried)) {
            continue;
        }
        std::ptrdiff_t made = 0;
        for (std::size_t other = 0; other < kFactors; ++other) {
            made += tried[other] >= 0 && other != factor && open.contains(pairOf(tried, factor, other)) ? 1 : 0;
        }
        if (made > most) {
            most = made;
            best = tried[factor];
        }
    }
    return best;
}

} // namespace

std::vector<GeometryCase> everyPairOfClasses() {
    std::vector<GeometryCase> cases;
    std::set<LevelPair> open = allPairs();
    while (!open.empty()) {
        const auto [a, i, b, j] = *open.begin();
        Choice choice;
        choice.fill(-1);
        choice[a] = i;
        choice[b] = j;
        bool possible = true;
        for (const std::size_t factor : {1, 0, 2, 3, 4, 5, 6, 7, 8}) { // the image first: it decides what fits
            if (choice[factor] < 0) {
                choice[factor] = bestLevel(choice, factor, open, static_cast<int>(cases.size()));
                possible = possible && choice[factor] >= 0;
            }
        }
        open.erase(open.begin());
        if (!possible || !isAllowed(choice)) {
            continue;
        }
        for (std::size_t first = 0; first < kFactors; ++first) {
            for (std::size_t second = first + 1; second < kFactors; ++second) {
                open.erase(pairOf(choice, first, second));
            }
        }
        cases.push_back(caseOf(choice));
    }
    return cases;
}

} // namespace halfstep::support
