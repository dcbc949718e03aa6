#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace halfstep::app {

/// How a program ended and what it wrote.
struct Ended {
    int exitCode = -1; ///< -1 if a signal ended it
    int signal = 0;
    std::string out{};
    std::string err{};
    std::uint64_t peakResidentBytes = 0; ///< mapped pages of files that it touched included
};

/// The real executable in a process of its own.
class Program {
public:
    struct Options {
        std::filesystem::path folder;                     ///< for what it writes to standard output and error
        std::map<std::string, std::string> environment{}; ///< set besides the caller's
        std::uint64_t largestFile = 0;                    ///< bytes that it may write into one file; 0: any number
        bool ignoresInterrupt = false;                    ///< as a shell starts a job in the background
        std::optional<std::uint64_t> addressSpaceBytes{}; ///< that it may map: `ulimit -v`
    };

    Program(const std::vector<std::string>& arguments, const Options& options);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void send(int signal) const;
    /// True once standard error holds `text`; false if that does not happen within a minute or the program ends
    /// before.
    bool waitForError(const std::string& text);
    /// Waits for the end, for two minutes at most; then kills it, which shows as a signal.
    Ended end();

private:
    bool hasEnded();

    std::filesystem::path m_out;
    std::filesystem::path m_err;
    pid_t m_process = 0;
    bool m_collected = false;
    int m_status = 0;
    rusage m_usage{};
};

} // namespace halfstep::app
