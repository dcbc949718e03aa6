#include "engine/data/cache_file.h"
#include "engine/data/content_hash.h"
#include "engine/data/readable_text.h"
#include "engine/tensor/error.h"
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace halfstep::data {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t pageBytes = 4096;
/// Raise it whenever the layout of the file, the decoding or the resizing changes.
constexpr std::uint32_t cacheVersion = 1;

struct Header {
    std::array<char, 8> magic{'h', 'a', 'l', 'f', 's', 't', 'e', 'p'};
    std::uint32_t version = cacheVersion;
    std::int32_t imageSize = 0;
    std::int64_t slots = 0;
    std::int64_t tableOffset = 0;
    std::int64_t tableBytes = 0;
    std::uint64_t tableHash = 0;
    std::array<char, 32> key{};
    std::uint64_t headerHash = 0; ///< of all above
};
static_assert(sizeof(Header) == 88); // no padding: all of it is hashed

std::uint64_t hashOf(const Header& header) {
    return hashNumber({reinterpret_cast<const std::uint8_t*>(&header), offsetof(Header, headerHash)});
}

std::array<char, 32> keyField(const std::string& key) {
    std::array<char, 32> field{};
    std::memcpy(field.data(), key.data(), std::min(key.size(), field.size()));
    return field;
}

std::int64_t bytesOfImage(int imageSize) {
    return 3LL * imageSize * imageSize;
}

bool fits(const Header& header, const std::string& key, int imageSize, std::int64_t fileBytes) {
    const Header expected;
    return header.magic == expected.magic && header.version == cacheVersion && header.headerHash == hashOf(header) &&
           header.imageSize == imageSize && header.key == keyField(key) && header.slots >= 0 &&
           header.tableOffset == pageBytes + header.slots * bytesOfImage(imageSize) &&
           header.tableBytes == fileBytes - header.tableOffset;
}

bool sameFile(int descriptor, const fs::path& path) {
    struct stat held {};
    struct stat named {};
    return fstat(descriptor, &held) == 0 && stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

/// Removes the unfinished files of processes that were killed: nobody holds their lock.
void removeAbandoned(const fs::path& folder) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() != ".part") {
            continue;
        }
        const int descriptor = ::open(entry.path().c_str(), O_RDWR | O_CLOEXEC);
        if (descriptor >= 0) {
            if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && sameFile(descriptor, entry.path())) {
                unlink(entry.path().c_str());
            }
            close(descriptor);
        }
    }
}

} // namespace

std::unique_ptr<CacheFile> CacheFile::open(const fs::path& path, const std::string& key, int imageSize) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return nullptr;
    }
    struct stat facts {};
    void* mapping = MAP_FAILED;
    if (fstat(descriptor, &facts) == 0 && facts.st_size >= pageBytes) {
        mapping = mmap(nullptr, static_cast<std::size_t>(facts.st_size), PROT_READ, MAP_SHARED, descriptor, 0);
    }
    close(descriptor);
    if (mapping == MAP_FAILED) {
        return nullptr;
    }
    std::unique_ptr<CacheFile> file(new CacheFile(mapping, static_cast<std::size_t>(facts.st_size)));
    Header header;
    std::memcpy(&header, mapping, sizeof header);
    if (!fits(header, key, imageSize, facts.st_size)) {
        return nullptr;
    }
    const std::span table(static_cast<const std::uint8_t*>(mapping) + header.tableOffset,
                          static_cast<std::size_t>(header.tableBytes));
    if (hashNumber(table) != header.tableHash) {
        return nullptr;
    }
    try {
        file->m_content = unpackContent(table);
    } catch (const DataError&) {
        return nullptr;
    }
    file->m_imageBytes = static_cast<std::size_t>(bytesOfImage(imageSize));
    return file;
}

CacheFile::~CacheFile() {
    munmap(m_mapping, m_bytes);
}

std::span<const std::uint8_t> CacheFile::pixels(std::int64_t slot) const {
    return {static_cast<const std::uint8_t*>(m_mapping) + pageBytes + static_cast<std::size_t>(slot) * m_imageBytes,
            m_imageBytes};
}

CacheWriter::CacheWriter(fs::path path, std::string key, int imageSize, int descriptor)
    : m_path(std::move(path)),
      m_partPath(m_path),
      m_key(std::move(key)),
      m_imageSize(imageSize),
      m_descriptor(descriptor),
      m_imageBytes(bytesOfImage(imageSize)) {
    m_partPath += ".part";
}

std::unique_ptr<CacheWriter> CacheWriter::begin(const fs::path& path, const std::string& key, int imageSize,
                                                const std::stop_token& stop) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    removeAbandoned(path.parent_path());
    fs::path part = path;
    part += ".part";
    while (!stop.stop_requested()) {
        const int descriptor = ::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (descriptor < 0) {
            const int reason = errno;
            throw DataError(
                fmt::format("The image cache {} cannot be written: {}. Set XDG_CACHE_HOME to a folder that can "
                            "be written to.",
                            readableText(part.native()), std::generic_category().message(reason)));
        }
        std::unique_ptr<CacheWriter> writer(new CacheWriter(path, key, imageSize, descriptor));
        writer->m_sealed = true; // until the lock is ours, the file is not ours to remove
        // Where a file system has no locks, two builders write the same bytes to two files; the later name wins.
        while (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            if (stop.stop_requested()) {
                throw Cancelled();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        if (!sameFile(descriptor, part)) {
            if (CacheFile::open(path, key, imageSize) != nullptr) {
                return nullptr; // the other process has finished it: what we opened now has its final name
            }
            continue;
        }
        writer->m_sealed = false;
        if (CacheFile::open(path, key, imageSize) != nullptr) {
            return nullptr; // finished between our look and our lock
        }
        // What an ended process left is cut off. A file that was cut to nothing is written to the disk whole when it
        // is closed (ext4 thinks that it replaces a good one): a second of waiting, so a new file is not cut.
        struct stat left {};
        if (fstat(descriptor, &left) != 0 || (left.st_size > 0 && ftruncate(descriptor, 0) != 0)) {
            writer->fail(errno);
        }
        return writer;
    }
    throw Cancelled();
}

CacheWriter::~CacheWriter() {
    if (!m_sealed) {
        unlink(m_partPath.c_str());
    }
    close(m_descriptor);
}

void CacheWriter::checkSpace(std::int64_t pictures) const {
    struct statvfs disk {};
    if (fstatvfs(m_descriptor, &disk) != 0) {
        return;
    }
    const auto available = static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
    if ((pictures - m_slots) * m_imageBytes + pageBytes > available) {
        fail(ENOSPC);
    }
}

void CacheWriter::fail(int error) const {
    const std::string folder = readableText(m_path.parent_path().native());
    if (error == ENOSPC || error == EDQUOT) {
        const std::int64_t needed = std::max(m_expected.load(), m_slots.load()) * m_imageBytes;
        throw DataError(
            fmt::format("The disk is full: the image cache in {} needs {} ({}). Free some space, choose a "
                        "smaller image size, or set XDG_CACHE_HOME to a folder on a larger disk.",
                        folder, bytesText(needed), counted(needed, "byte", "bytes")));
    }
    throw DataError(
        fmt::format("The image cache in {} cannot be written: {}.", folder, std::generic_category().message(error)));
}

void CacheWriter::writeAt(std::int64_t offset, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = pwrite(m_descriptor, bytes.data(), bytes.size(), offset);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            fail(errno);
        }
        offset += written;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

std::int64_t CacheWriter::write(std::span<const std::uint8_t> pixels) {
    if (static_cast<std::int64_t>(pixels.size()) != m_imageBytes) {
        throw ShapeError("CacheWriter: the pixels are not [imageSize, imageSize, 3]");
    }
    const std::int64_t slot = m_slots.fetch_add(1);
    writeAt(pageBytes + slot * m_imageBytes, pixels);
    return slot;
}

void CacheWriter::seal(const CacheContent& content) {
    const auto table = packContent(content);
    Header header;
    header.imageSize = m_imageSize;
    header.slots = m_slots;
    header.tableOffset = pageBytes + header.slots * m_imageBytes;
    header.tableBytes = static_cast<std::int64_t>(table.size());
    header.tableHash = hashNumber(table);
    header.key = keyField(m_key);
    header.headerHash = hashOf(header);
    writeAt(header.tableOffset, table);
    writeAt(0, {reinterpret_cast<const std::uint8_t*>(&header), sizeof header});
    if (rename(m_partPath.c_str(), m_path.c_str()) != 0) {
        fail(errno);
    }
    m_sealed = true;
}

} // namespace halfstep::data
