#pragma once
#include "engine/backend/cpu/function_ref.h"
#include <cstdint>
#include <memory>

namespace halfstep::backend::cpu {

/// A fixed team of threads, the caller being one of them.
///
/// Which thread takes which task is left to chance, so a task's result must depend on its index alone; then results
/// do not depend on the number of threads.
class ThreadPool {
public:
    /// LeftOut: run() calls nothing, and no threads are started. What is done around it can be tried without its
    /// work.
    enum class Work { Done, LeftOut };

    explicit ThreadPool(int threads, Work work = Work::Done);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int threads() const { return m_threads; }
    Work work() const { return m_work; }

    /// Calls work(task, worker) for every task in [0, tasks) and returns when all are done. `worker` is in
    /// [0, threads()) and no two calls with the same worker overlap: it may index scratch memory. Not reentrant. The
    /// first exception that a task throws is thrown on; the other tasks are still run.
    void run(std::int64_t tasks, FunctionRef<void(std::int64_t task, int worker)> work);

private:
    int m_threads;
    Work m_work;
    struct Team;
    std::unique_ptr<Team> m_team;
};

} // namespace halfstep::backend::cpu
