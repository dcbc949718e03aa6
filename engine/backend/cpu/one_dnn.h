#pragma once
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <string_view>

namespace halfstep::backend::cpu {

/// While it lives, oneDNN primitives made or run on this thread use this thread only: our pool is the team.
class OneDnnThread {
public:
    OneDnnThread();
    ~OneDnnThread();
    OneDnnThread(const OneDnnThread&) = delete;
    OneDnnThread& operator=(const OneDnnThread&) = delete;

private:
    int m_before;
};

/// Holds oneDNN to one of our instruction sets by name. It heeds a process's first choice only: throws ConfigError if
/// it runs on another set already.
void holdOneDnnTo(std::string_view instructionSet);
/// The same; false where that throws.
bool oneDnnCanBeHeldTo(std::string_view instructionSet);

/// oneDNN writes the code that it generates to address 0 where it is not given memory for it. Throws OutOfMemoryError
/// where there is less than the code of a convolution takes; to be called before one is built.
void requireRoomForCode();

/// What it refuses as an error of ours: OutOfMemoryError if it was not given memory, else BackendError.
[[noreturn]] void throwRefusal(const dnnl::error& error);

/// "2.6.3"
std::string oneDnnVersionText();

} // namespace halfstep::backend::cpu
