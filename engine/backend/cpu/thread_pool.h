#pragma once
#include "engine/backend/cpu/function_ref.h"
#include <memory>

namespace halfstep::backend::cpu {

/// A fixed team of threads, the caller being one of them.
///
/// Which thread takes which task is left to chance, so a task's result must depend on its index alone; then results
/// do not depend on the number of threads.
class ThreadPool {
public:
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int threads() const;

    /// Calls work(task, worker) for every task in [0, tasks) and returns when all are done. `worker` is in
    /// [0, threads()) and no two calls with the same worker overlap: it may index scratch memory. Not reentrant. The
    /// first exception that a task throws is thrown on; the other tasks are still run.
    void run(int tasks, FunctionRef<void(int task, int worker)> work);

private:
    struct Team;
    std::unique_ptr<Team> m_team;
};

} // namespace halfstep::backend::cpu
