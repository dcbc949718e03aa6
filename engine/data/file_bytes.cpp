#include "engine/data/file_bytes.h"
#include "engine/data/picture_source.h"
#include "engine/data/readable_text.h"
#include "engine/tensor/error.h"
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace halfstep::data {
namespace {

[[noreturn]] void failWith(int error) {
    throw DataError("the file cannot be read: " + std::generic_category().message(error));
}

} // namespace

std::vector<std::uint8_t> readFile(const std::filesystem::path& path) {
    // Not blocking, because a pipe that someone left in a folder would block for ever; on a file it changes nothing.
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        failWith(errno);
    }
    struct Closer {
        int descriptor;
        ~Closer() { close(descriptor); }
    } const closer{descriptor};
    struct stat facts {};
    if (fstat(descriptor, &facts) != 0) {
        failWith(errno);
    }
    if (!S_ISREG(facts.st_mode)) {
        throw DataError("not a file");
    }
    if (facts.st_size > largestFileBytes) {
        throw DataError(fmt::format("the file has {}; at most {} are read", bytesText(facts.st_size),
                                    bytesText(largestFileBytes)));
    }
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(facts.st_size));
    std::size_t have = 0;
    while (have < bytes.size()) {
        const ssize_t got = read(descriptor, bytes.data() + have, bytes.size() - have);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            failWith(errno);
        }
        if (got == 0) {
            break; // it became shorter while it was read
        }
        have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return bytes;
}

} // namespace halfstep::data
