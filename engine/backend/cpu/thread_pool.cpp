#include "engine/backend/cpu/thread_pool.h"
#include "engine/tensor/error.h"
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <omp.h>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace halfstep::backend::cpu {

struct ThreadPool::Team {
    std::mutex mutex;
    std::condition_variable started;
    std::condition_variable finished;
    std::uint64_t round = 0; ///< counts calls of run, so that a worker joins each one once
    int busyWorkers = 0;
    bool ending = false;

    const FunctionRef<void(std::int64_t, int)>* work = nullptr;
    std::int64_t tasks = 0;
    std::atomic<std::int64_t> nextTask = 0;
    std::exception_ptr failure;

    std::vector<std::thread> workers;

    void takeTasks(int worker) {
        for (std::int64_t task = nextTask.fetch_add(1); task < tasks; task = nextTask.fetch_add(1)) {
            try {
                (*work)(task, worker);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) {
                    failure = std::current_exception();
                }
            }
        }
    }

    void end() {
        {
            const std::lock_guard lock(mutex);
            ending = true;
        }
        started.notify_all();
        for (std::thread& worker : workers) {
            worker.join();
        }
    }

    void serve(int worker) {
        // oneDNN would start a team of its own inside each of our threads.
        omp_set_num_threads(1);
        std::uint64_t seen = 0;
        std::unique_lock lock(mutex);
        for (;;) {
            started.wait(lock, [&] { return ending || round != seen; });
            if (ending) {
                return;
            }
            seen = round;
            lock.unlock();
            takeTasks(worker);
            lock.lock();
            if (--busyWorkers == 0) {
                finished.notify_one();
            }
        }
    }
};

ThreadPool::ThreadPool(int threads, Work work) : m_threads(threads), m_work(work), m_team(std::make_unique<Team>()) {
    try {
        for (int worker = 1; worker < threads && work == Work::Done; ++worker) {
            m_team->workers.emplace_back([team = m_team.get(), worker] { team->serve(worker); });
        }
    } catch (const std::system_error&) {
        m_team->end();
        // The caller is thread 1.
        throw OutOfMemoryError(fmt::format("the stack of thread {} of {} wants memory that the system does not give",
                                           m_team->workers.size() + 2, threads),
                               "Choose fewer threads, or end other programs.");
    } catch (...) {
        m_team->end();
        throw;
    }
}

ThreadPool::~ThreadPool() {
    m_team->end();
}

void ThreadPool::run(std::int64_t tasks, FunctionRef<void(std::int64_t, int)> work) {
    if (m_work == Work::LeftOut) {
        return;
    }
    Team& team = *m_team;
    const bool alone = tasks <= 1 || team.workers.empty();
    {
        const std::lock_guard lock(team.mutex);
        team.work = &work;
        team.tasks = tasks;
        team.nextTask = 0;
        team.failure = nullptr;
        if (!alone) {
            team.busyWorkers = static_cast<int>(team.workers.size());
            ++team.round;
        }
    }
    if (!alone) {
        team.started.notify_all();
    }
    team.takeTasks(0);
    std::unique_lock lock(team.mutex);
    team.finished.wait(lock, [&] { return team.busyWorkers == 0; });
    if (team.failure) {
        std::rethrow_exception(std::exchange(team.failure, nullptr));
    }
}

} // namespace halfstep::backend::cpu
