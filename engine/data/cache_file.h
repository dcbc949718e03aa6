#pragma once
#include "engine/data/cache_content.h"
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace halfstep::data {

/// A cache file: one page of header, the pixels of every picture in the order in which they were decoded, the content
/// table. The header is written last, so that a file with a right header is whole.
class CacheFile {
public:
    /// Maps the file read-only. Empty if there is none, or if it is not whole, of another version, key or image size.
    static std::unique_ptr<CacheFile> open(const std::filesystem::path& path, const std::string& key, int imageSize);
    ~CacheFile();
    CacheFile(const CacheFile&) = delete;
    CacheFile& operator=(const CacheFile&) = delete;

    const CacheContent& content() const { return m_content; }
    /// [imageSize, imageSize, 3], valid while this lives.
    std::span<const std::uint8_t> pixels(std::int64_t slot) const;

private:
    CacheFile(void* mapping, std::size_t bytes) : m_mapping(mapping), m_bytes(bytes) {}
    void* m_mapping;
    std::size_t m_bytes;
    std::size_t m_imageBytes = 0;
    CacheContent m_content;
};

/// Writes a cache file under a temporary name, "<path>.part", which it holds locked: a second process that builds the
/// same set waits, a killed one leaves a file that the next takes over. Nothing is left behind unless seal() returns.
class CacheWriter {
public:
    /// Waits while another process builds this file. Empty if that one has finished it meanwhile. Throws DataError if
    /// nothing can be written there, Cancelled if `stop` is requested.
    static std::unique_ptr<CacheWriter> begin(const std::filesystem::path& path, const std::string& key,
                                              int imageSize, const std::stop_token& stop);
    ~CacheWriter();
    CacheWriter(const CacheWriter&) = delete;
    CacheWriter& operator=(const CacheWriter&) = delete;

    /// Throws DataError, naming the bytes, if `pictures` of them do not fit on the disk beside those written already.
    void checkSpace(std::int64_t pictures) const;
    /// Says how many pictures are expected, for the message when the disk is full.
    void expect(std::int64_t pictures) { m_expected = pictures; }
    /// Writes [imageSize, imageSize, 3] and gives its slot. From any thread. By pwrite and not into a mapping,
    /// because the touched pages of a mapping would count as this process' memory.
    std::int64_t write(std::span<const std::uint8_t> pixels);
    /// Writes table and header and gives the file its name.
    void seal(const CacheContent& content);

private:
    CacheWriter(std::filesystem::path path, std::string key, int imageSize, int descriptor);
    void writeAt(std::int64_t offset, std::span<const std::uint8_t> bytes);
    [[noreturn]] void fail(int error) const;

    std::filesystem::path m_path;
    std::filesystem::path m_partPath;
    std::string m_key;
    int m_imageSize;
    int m_descriptor;
    bool m_sealed = false;
    std::int64_t m_imageBytes;
    std::atomic<std::int64_t> m_slots{0};
    std::atomic<std::int64_t> m_expected{0};
};

} // namespace halfstep::data
