#include "tests/app/program.h"
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace halfstep::app {
namespace {
using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPoll{10};

std::string contentOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void becomeProgram(std::vector<char*>& argv, const std::filesystem::path& out, const std::filesystem::path& err,
                   const Program::Options& options) {
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    for (const auto& [name, value] : options.environment) {
        setenv(name.c_str(), value.c_str(), 1);
    }
    if (options.largestFile > 0) {
        const rlimit limit{options.largestFile, options.largestFile};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    std::signal(SIGINT, options.ignoresInterrupt ? SIG_IGN : SIG_DFL);
    if (options.addressSpaceBytes) {
        const rlimit limit{*options.addressSpaceBytes, *options.addressSpaceBytes};
        setrlimit(RLIMIT_AS, &limit);
    }
    execv(argv.front(), argv.data());
    _exit(127);
}

} // namespace

Program::Program(const std::vector<std::string>& arguments, const Options& options) {
    static int count = 0;
    ++count;
    m_out = options.folder / fmt::format("out-{}", count);
    m_err = options.folder / fmt::format("err-{}", count);
    std::vector<std::string> texts{HALFSTEP_PROGRAM};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& text : texts) {
        argv.push_back(text.data());
    }
    argv.push_back(nullptr);
    m_process = fork();
    if (m_process == 0) {
        becomeProgram(argv, m_out, m_err, options);
    }
}

Program::~Program() {
    if (!hasEnded()) {
        send(SIGKILL);
        waitpid(m_process, &m_status, 0);
    }
}

void Program::send(int signal) const {
    kill(m_process, signal);
}

bool Program::hasEnded() {
    m_collected = m_collected || wait4(m_process, &m_status, WNOHANG, &m_usage) == m_process;
    return m_collected;
}

bool Program::waitForError(const std::string& text) {
    const Clock::time_point limit = Clock::now() + std::chrono::minutes(1);
    while (Clock::now() < limit) {
        const bool ended = hasEnded(); // asked first: what it wrote at its end counts
        if (contentOf(m_err).find(text) != std::string::npos) {
            return true;
        }
        if (ended) {
            return false;
        }
        std::this_thread::sleep_for(kPoll);
    }
    return false;
}

Ended Program::end() {
    const Clock::time_point limit = Clock::now() + std::chrono::minutes(2);
    while (!hasEnded()) {
        if (Clock::now() >= limit) {
            send(SIGKILL);
        }
        std::this_thread::sleep_for(kPoll);
    }
    return {.exitCode = WIFEXITED(m_status) ? WEXITSTATUS(m_status) : -1,
            .signal = WIFSIGNALED(m_status) ? WTERMSIG(m_status) : 0,
            .out = contentOf(m_out),
            .err = contentOf(m_err),
            .peakResidentBytes = static_cast<std::uint64_t>(m_usage.ru_maxrss) * 1024};
}

} // namespace halfstep::app
