#include "engine/backend/cpu/ceilings.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/memory_ledger.h"
#include "engine/backend/cpu/thread_pool.h"
#include "engine/backend/cpu/usable_cores.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <memory>
#include <numeric>
#include <thread>
#include <unistd.h>
#include <vector>

namespace halfstep::backend::cpu {
namespace {

using Clock = std::chrono::steady_clock;

/// Runs one thing on all threads at once.
class Team {
public:
    explicit Team(int threads) : m_pool(threads) {}

    int threads() const { return m_pool.threads(); }

    /// Seconds from the moment when all threads are ready to the end of the last one. `work` gets the thread's
    /// number.
    double seconds(const std::function<void(std::size_t)>& work) {
        std::vector<Clock::time_point> begins(static_cast<std::size_t>(threads())), ends(begins);
        std::atomic<int> missing = threads();
        // A thread that waits takes no second task: each gets one.
        m_pool.run(threads(), [&](int, int worker) {
            const auto index = static_cast<std::size_t>(worker);
            waitForAll(missing);
            begins[index] = Clock::now();
            work(index);
            ends[index] = Clock::now();
        });
        return std::chrono::duration<double>(*std::ranges::max_element(ends) - *std::ranges::min_element(begins))
            .count();
    }

private:
    /// Awake, since being woken takes a good part of a trial; but if there are more threads than cores, after others.
    static void waitForAll(std::atomic<int>& missing) {
        missing.fetch_sub(1);
        for (int spins = 0; missing.load() > 0; ++spins) {
            if (spins > 1000) {
                std::this_thread::yield();
            }
        }
    }

    ThreadPool m_pool;
};

/// Of this thread alone.
double processorSeconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Operations per second of the best trial, all threads together. Each is timed by its own processor time: while
/// others have the core it does not run, but the core's rate is no lower for that.
double multiplyAddRate(Team& team, const CeilingKernels& kernels, const CeilingOptions& options) {
    const auto count = static_cast<std::size_t>(team.threads());
    std::vector<float> results(count);
    std::vector<double> rates(count);
    std::size_t rounds = 1000;
    const auto trial = [&] {
        return team.seconds([&](std::size_t i) {
            const double begin = processorSeconds();
            const double operations = kernels.multiplyAdd(rounds, &results[i]);
            rates[i] = operations / (processorSeconds() - begin);
        });
    };
    while (trial() < options.trialSeconds) { // also wakes the cores up
        rounds *= 2;
    }
    double best = 0;
    for (int i = 0; i < options.trials; ++i) {
        trial();
        best = std::max(best, std::accumulate(rates.begin(), rates.end(), 0.0));
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

/// 10^9 bytes per second of the best trial. A trial passes over one slice of each array, so that it is over before
/// another program wants the core; the slices take turns, so that what was touched last has left the caches. `pass`
/// gets the thread, and the slice's begin and length in floats; it touches `arrays` of the thread's three.
double passRate(Team& team, const Arrays& memory, const CeilingOptions& options, int arrays,
                const std::function<void(std::size_t, std::size_t, std::size_t)>& pass) {
    constexpr std::size_t kSlice = std::size_t{1} << 20; // floats: 4 MiB of each array
    const std::size_t slices = std::max<std::size_t>(memory.count / kSlice, 1);
    const std::size_t length = std::min(kSlice, memory.count);
    const double bytes = static_cast<double>(length * sizeof(float)) * arrays * team.threads();
    const std::size_t trials = std::max(slices, static_cast<std::size_t>(options.trials));
    double best = 0;
    for (std::size_t trial = 0; trial < trials; ++trial) {
        const std::size_t begin = trial % slices * length;
        best = std::max(best, bytes / team.seconds([&](std::size_t thread) { pass(thread, begin, length); }));
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
    found.readGbps = passRate(team, memory, options, 3, [&](std::size_t i, std::size_t begin, std::size_t length) {
        sums[i] = kernels.sum(memory.of(i) + 3 * begin, 3 * length);
    });
    found.copyGbps = passRate(team, memory, options, 2, [&](std::size_t i, std::size_t begin, std::size_t length) {
        kernels.copy(memory.of(i) + begin, length, memory.of(i) + 2 * n + begin);
    });
    found.triadGbps = passRate(team, memory, options, 3, [&](std::size_t i, std::size_t begin, std::size_t length) {
        float* x = memory.of(i) + begin;
        kernels.triad(x, x + n, length, x + 2 * n);
    });
    return found;
}

} // namespace halfstep::backend::cpu
