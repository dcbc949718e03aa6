#include "engine/backend/cpu/ceilings.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/memory_ledger.h"
#include "engine/backend/cpu/thread_pool.h"
#include "engine/backend/cpu/usable_cores.h"
#include <algorithm>
#include <barrier>
#include <chrono>
#include <functional>
#include <memory>
#include <unistd.h>
#include <vector>

namespace halfstep::backend::cpu {
namespace {

using Clock = std::chrono::steady_clock;

/// Runs one thing on all threads at once.
class Team {
public:
    explicit Team(int threads) : m_pool(threads), m_start(threads) {}

    int threads() const { return m_pool.threads(); }

    /// Seconds from the moment when all threads are ready to the end of the last one. `work` gets the thread's
    /// number.
    double seconds(const std::function<void(std::size_t)>& work) {
        std::vector<Clock::time_point> begins(static_cast<std::size_t>(threads())), ends(begins);
        // A thread that waits takes no second task: each gets one.
        m_pool.run(threads(), [&](int, int worker) {
            const auto index = static_cast<std::size_t>(worker);
            m_start.arrive_and_wait();
            begins[index] = Clock::now();
            work(index);
            ends[index] = Clock::now();
        });
        return std::chrono::duration<double>(*std::ranges::max_element(ends) - *std::ranges::min_element(begins))
            .count();
    }

private:
    ThreadPool m_pool;
    std::barrier<> m_start;
};

/// Operations per second of the best trial.
double multiplyAddRate(Team& team, const CeilingKernels& kernels, const CeilingOptions& options) {
    const auto count = static_cast<std::size_t>(team.threads());
    std::vector<float> results(count);
    std::vector<double> operations(count);
    std::size_t rounds = 1000;
    const auto trial = [&] {
        return team.seconds([&](std::size_t i) { operations[i] = kernels.multiplyAdd(rounds, &results[i]); });
    };
    while (trial() < options.trialSeconds) { // also wakes the cores up
        rounds *= 2;
    }
    double best = 0;
    for (int i = 0; i < options.trials; ++i) {
        const double seconds = trial();
        double sum = 0;
        for (const double part : operations) {
            sum += part;
        }
        best = std::max(best, sum / seconds);
    }
    return best;
}

std::size_t bytesOfArrays(std::size_t least) {
    if (least > 0) {
        return least;
    }
    constexpr long kLeast = 256L << 20, kMost = 2L << 30;
    return static_cast<std::size_t>(std::clamp(4 * sysconf(_SC_LEVEL3_CACHE_SIZE), kLeast, kMost));
}

/// Three arrays of each thread, made and first written by itself, so that their memory is near its core.
class Arrays {
public:
    Arrays(Team& team, std::size_t bytes) {
        const auto threads = static_cast<std::size_t>(team.threads());
        count = std::max<std::size_t>(bytes / (3 * threads * sizeof(float)) / 64 * 64, 64);
        m_parts.resize(threads);
        const MemoryLedger memory({});
        team.seconds([&](std::size_t i) {
            m_parts[i] = memory.allocate(3 * count * sizeof(float), "measuring the memory's speed");
        });
    }

    /// Of a thread: its three arrays, one after the other.
    float* of(std::size_t thread) const { return reinterpret_cast<float*>(m_parts[thread].get()); }

    std::size_t count = 0; ///< floats of one array of one thread; a multiple of 64

private:
    std::vector<std::shared_ptr<std::byte>> m_parts;
};

/// 10^9 bytes per second of the best of `trials` passes that touch `arrays` of a thread's three.
double passRate(Team& team, const Arrays& memory, int trials, int arrays,
                const std::function<void(std::size_t)>& pass) {
    const double bytes = static_cast<double>(memory.count * sizeof(float)) * arrays * team.threads();
    double best = 0;
    for (int i = 0; i < trials; ++i) {
        best = std::max(best, bytes / team.seconds(pass));
    }
    return best * 1e-9;
}

} // namespace

double MachineCeilings::memoryGbps() const {
    return std::max({readGbps, copyGbps, triadGbps});
}

MachineCeilings measureCeilings(const CeilingOptions& options) {
    const InstructionSet set = chooseInstructionSet(options.isa);
    const CeilingKernels kernels = kernelsFor(set).ceilings;
    Team team(options.threads > 0 ? options.threads : usableCores());
    const Arrays memory(team, bytesOfArrays(options.leastBytes));
    const std::size_t n = memory.count;
    std::vector<float> sums(static_cast<std::size_t>(team.threads()));

    MachineCeilings found{.isa = std::string(set.name), .threads = team.threads()};
    found.bytes = 3 * n * sums.size() * sizeof(float);
    found.fmaGflops = multiplyAddRate(team, kernels, options) * 1e-9;
    found.readGbps =
        passRate(team, memory, options.trials, 3, [&](std::size_t i) { sums[i] = kernels.sum(memory.of(i), 3 * n); });
    found.copyGbps = passRate(team, memory, options.trials, 2,
                              [&](std::size_t i) { kernels.copy(memory.of(i), n, memory.of(i) + 2 * n); });
    found.triadGbps = passRate(team, memory, options.trials, 3, [&](std::size_t i) {
        kernels.triad(memory.of(i), memory.of(i) + n, n, memory.of(i) + 2 * n);
    });
    return found;
}

} // namespace halfstep::backend::cpu
