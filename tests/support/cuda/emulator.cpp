#include "tests/support/cuda/emulator.h"
#include <array>
#include <exception>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <stdexcept>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace halfstep::test::cuda {
namespace {

constexpr std::size_t kStackBytes = 64 * 1024;
constexpr unsigned kWarp = 32;

std::map<std::string, Launch, std::less<>>& kernels() {
    static std::map<std::string, Launch, std::less<>> all;
    return all;
}

enum class State { Runs, AtBlockBarrier, AtWarpBarrier, Done };

struct Fiber {
    ucontext_t context{};
    std::unique_ptr<std::byte[]> stack;
    State state = State::Done;
    Dim3 thread;
    std::exception_ptr failure;
#if defined(__SANITIZE_ADDRESS__)
    void* fakeStack = nullptr;
#endif
};

/// The block that runs in this thread of the CPU.
class Block {
public:
    Block(const Launch& kernel, const Dim3& grid, const Dim3& block, void** arguments)
        : m_kernel(kernel),
          m_arguments(arguments),
          m_fibers(block.x * block.y * block.z),
          m_slots((m_fibers.size() + kWarp - 1) / kWarp) {
        m_where.blockSize = block;
        m_where.gridSize = grid;
        for (Fiber& fiber : m_fibers) {
            fiber.stack = std::make_unique_for_overwrite<std::byte[]>(kStackBytes);
        }
    }

    void run(const Dim3& index) {
        m_where.block = index;
        for (std::size_t i = 0; i < m_fibers.size(); ++i) {
            prepare(i);
        }
        while (advance()) {
        }
        for (const Fiber& fiber : m_fibers) {
            if (fiber.failure) {
                std::rethrow_exception(fiber.failure);
            }
            if (fiber.state != State::Done) {
                throw std::logic_error("a kernel's threads wait at a barrier that others of their block never reach");
            }
        }
    }

    const Whereabouts& where() const { return m_where; }
    unsigned lane() const { return static_cast<unsigned>(m_running % kWarp); }

    void waitAt(State barrier) {
        m_fibers[m_running].state = barrier;
        switchBack();
    }

    std::uint64_t exchange(std::uint64_t bits, unsigned from) {
        auto& slots = m_slots[m_running / kWarp];
        slots[lane()] = bits;
        waitAt(State::AtWarpBarrier);
        const std::uint64_t theirs = slots[from];
        waitAt(State::AtWarpBarrier); // nobody overwrites a slot before all have read
        return theirs;
    }

private:
    static void enter(unsigned high, unsigned low) {
        auto* self = reinterpret_cast<Block*>(static_cast<std::uintptr_t>(high) << 32 | low);
        self->runFiber();
    }

    void prepare(std::size_t i) {
        Fiber& fiber = m_fibers[i];
        const auto number = static_cast<unsigned>(i);
        const Dim3& size = m_where.blockSize;
        fiber.thread = {number % size.x, number / size.x % size.y, number / size.x / size.y};
        fiber.state = State::Runs;
        fiber.failure = nullptr;
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.get();
        fiber.context.uc_stack.ss_size = kStackBytes;
        fiber.context.uc_link = nullptr;
        const auto self = reinterpret_cast<std::uintptr_t>(this);
        makecontext(&fiber.context, reinterpret_cast<void (*)()>(&Block::enter), 2, static_cast<unsigned>(self >> 32),
                    static_cast<unsigned>(self));
    }

    void runFiber() {
        finishSwitch(nullptr);
        Fiber& fiber = m_fibers[m_running];
        try {
            m_kernel(m_arguments);
        } catch (...) {
            fiber.failure = std::current_exception();
        }
        fiber.state = State::Done;
        switchBack();
    }

    /// Lets every thread that can go on do so, then opens the barriers that all have reached. False if nobody can.
    bool advance() {
        bool ran = false;
        for (std::size_t i = 0; i < m_fibers.size(); ++i) {
            if (m_fibers[i].state == State::Runs) {
                switchTo(i);
                ran = true;
            }
        }
        for (std::size_t first = 0; first < m_fibers.size(); first += kWarp) {
            open(first, std::min<std::size_t>(first + kWarp, m_fibers.size()), State::AtWarpBarrier);
        }
        open(0, m_fibers.size(), State::AtBlockBarrier);
        return ran;
    }

    void open(std::size_t first, std::size_t end, State barrier) {
        for (std::size_t i = first; i < end; ++i) {
            if (m_fibers[i].state != barrier && m_fibers[i].state != State::Done) {
                return;
            }
        }
        for (std::size_t i = first; i < end; ++i) {
            if (m_fibers[i].state == barrier) {
                m_fibers[i].state = State::Runs;
            }
        }
    }

    void switchTo(std::size_t i) {
        m_running = i;
        m_where.thread = m_fibers[i].thread;
#if defined(__SANITIZE_ADDRESS__)
        void* fake = nullptr;
        __sanitizer_start_switch_fiber(&fake, m_fibers[i].stack.get(), kStackBytes);
        swapcontext(&m_scheduler, &m_fibers[i].context);
        __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#else
        swapcontext(&m_scheduler, &m_fibers[i].context);
#endif
    }

    void switchBack() {
        Fiber& fiber = m_fibers[m_running];
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_start_switch_fiber(fiber.state == State::Done ? nullptr : &fiber.fakeStack, m_schedulerStack,
                                       m_schedulerStackBytes);
        swapcontext(&fiber.context, &m_scheduler);
        finishSwitch(fiber.fakeStack);
#else
        swapcontext(&fiber.context, &m_scheduler);
#endif
    }

    void finishSwitch([[maybe_unused]] void* fakeStack) {
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_finish_switch_fiber(fakeStack, &m_schedulerStack, &m_schedulerStackBytes);
#endif
    }

    const Launch& m_kernel;
    void** m_arguments;
    std::vector<Fiber> m_fibers;
    std::vector<std::array<std::uint64_t, kWarp>> m_slots;
    Whereabouts m_where;
    ucontext_t m_scheduler{};
    std::size_t m_running = 0;
#if defined(__SANITIZE_ADDRESS__)
    const void* m_schedulerStack = nullptr;
    std::size_t m_schedulerStackBytes = 0;
#endif
};

thread_local Block* running = nullptr;

} // namespace

bool registerKernel(const char* name, Launch launch) {
    return kernels().emplace(name, std::move(launch)).second;
}

const Launch* kernelNamed(std::string_view name) {
    const auto found = kernels().find(name);
    return found == kernels().end() ? nullptr : &found->second;
}

std::vector<std::string> kernelNames() {
    std::vector<std::string> names;
    for (const auto& [name, launch] : kernels()) {
        names.push_back(name);
    }
    return names;
}

const Whereabouts& whereabouts() {
    return running->where();
}
unsigned laneOfThread() {
    return running->lane();
}
void blockBarrier() {
    running->waitAt(State::AtBlockBarrier);
}
std::uint64_t exchangeInWarp(std::uint64_t bits, unsigned lane) {
    return running->exchange(bits, lane);
}
void run(const Launch& kernel, const Dim3& grid, const Dim3& block, void** arguments) {
    const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
    if (threads == 0 || threads > 1024 || grid.x == 0 || grid.y == 0 || grid.z == 0) {
        throw std::logic_error(fmt::format("no card launches a grid of {} x {} x {} blocks of {} threads", grid.x,
                                           grid.y, grid.z, threads));
    }
    Block team(kernel, grid, block, arguments);
    running = &team;
    try {
        for (unsigned z = 0; z < grid.z; ++z) {
            for (unsigned y = 0; y < grid.y; ++y) {
                for (unsigned x = 0; x < grid.x; ++x) {
                    team.run({x, y, z});
                }
            }
        }
    } catch (...) {
        running = nullptr;
        throw;
    }
    running = nullptr;
}

} // namespace halfstep::test::cuda
