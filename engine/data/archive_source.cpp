#include "engine/data/archive_source.h"
#include "engine/data/content_hash.h"
#include "engine/data/ignored_names.h"
#include "engine/data/readable_text.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>

namespace halfstep::data {
namespace fs = std::filesystem;
namespace {

bool hasIgnoredPart(std::string_view path) {
    while (!path.empty()) {
        const auto end = std::min(path.find('/'), path.size());
        if (isIgnoredName(path.substr(0, end))) {
            return true;
        }
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return false;
}

/// The part of a member's path before "train" or "val", at most one folder; empty if it is in neither.
std::optional<std::string> topOf(const std::string& member) {
    const auto slash = member.find('/');
    const std::string first = member.substr(0, slash);
    if (first == "train" || first == "val") {
        return "";
    }
    if (slash == std::string::npos) {
        return std::nullopt;
    }
    const auto second = member.substr(slash + 1, member.find('/', slash + 1) - slash - 1);
    return second == "train" || second == "val" ? std::optional(first + "/") : std::nullopt;
}

} // namespace

ArchiveSource::ArchiveSource(const std::string& source) : m_path(fs::absolute(source)) {
    std::error_code error;
    m_fileBytes = static_cast<std::int64_t>(fs::file_size(m_path, error));
    if (error) {
        throw DataError(fmt::format("{} cannot be read: {}.", readableText(source), error.message()));
    }
}

/// Size and 64 samples of the file. A gzip file ends with the checksum of all that is in it, so that no change
/// escapes; for others the time of the last change is taken in.
std::string ArchiveSource::key() const {
    constexpr std::int64_t samples = 64;
    constexpr std::int64_t sampleBytes = 65536;
    ContentHash hash;
    hash.add("archive");
    hash.add(m_fileBytes);
    std::ifstream file(m_path, std::ios::binary);
    std::vector<char> buffer(sampleBytes);
    bool gzip = false;
    for (std::int64_t i = 0; i < samples; ++i) {
        const std::int64_t last = std::max<std::int64_t>(m_fileBytes - sampleBytes, 0);
        file.clear();
        file.seekg(last * i / (samples - 1));
        file.read(buffer.data(), sampleBytes);
        const auto got = static_cast<std::size_t>(file.gcount());
        hash.add(std::string_view(buffer.data(), got));
        if (i == 0) {
            gzip = got > 2 && buffer[0] == '\x1f' && buffer[1] == '\x8b';
        }
    }
    if (!gzip) {
        std::error_code error;
        hash.add(static_cast<std::int64_t>(fs::last_write_time(m_path, error).time_since_epoch().count()));
    }
    return hash.text();
}

std::string ArchiveSource::displayName() const {
    std::string name = m_path.filename().native();
    for (const std::string_view ending : {".gz", ".bz2", ".xz", ".zst", ".lz4", ".tgz", ".tar"}) {
        if (name.ends_with(ending) && name.size() > ending.size()) {
            name.resize(name.size() - ending.size());
        }
    }
    return readableText(name);
}

std::optional<std::string> ArchiveSource::pathInSet(const std::string& member) {
    const auto top = topOf(member);
    if (!top || hasIgnoredPart(member)) {
        return std::nullopt;
    }
    if (!m_top) {
        m_top = top;
    }
    if (*top != *m_top) {
        throw DataError(
            fmt::format("{} holds more than one set (\"{}\" and \"{}\"). Pack one folder with train/ and val/.",
                        readableText(m_path.native()), readableText(*m_top), readableText(*top)));
    }
    return member.substr(top->size());
}

void ArchiveSource::enterLayout(const std::string& path, bool folder) {
    const auto place = placeOf(folder ? path + "/" : path);
    if (!place) {
        return;
    }
    const bool train = place->split == Split::Train;
    (train ? m_layout.hasTrain : m_layout.hasValidation) = true;
    if (!place->classFolder.empty()) {
        (train ? m_layout.trainFolders : m_layout.validationFolders).insert(place->classFolder);
    } else if (!folder && looksLikePicture(path)) {
        ++m_layout.loosePictures;
    }
}

std::optional<SourceFile> ArchiveSource::next(const std::stop_token& stop) {
    const std::lock_guard lock(m_mutex);
    if (m_reader == nullptr) {
        if (m_top) { // read to its end before
            return std::nullopt;
        }
        m_reader = std::make_unique<ArchiveReader>(m_path);
    }
    while (const auto member = m_reader->next(stop)) {
        const auto path = pathInSet(member->path);
        if (!path) {
            continue;
        }
        enterLayout(*path, member->kind == ArchiveMember::Kind::Folder);
        const auto place = placeOf(*path);
        if (member->kind == ArchiveMember::Kind::Folder || !place || place->classFolder.empty()) {
            continue;
        }
        SourceFile file{*path, member->bytes, {}};
        if (member->kind != ArchiveMember::Kind::File) {
            file.content = std::string("a link or device in the archive: only files are read");
        } else if (member->bytes > largestFileBytes) {
            file.content = fmt::format("the file has {}; at most {} are read", bytesText(member->bytes),
                                       bytesText(largestFileBytes));
        } else {
            file.content = m_reader->read(stop);
        }
        return file;
    }
    m_reader.reset();
    m_top = m_top.value_or("");
    return std::nullopt;
}

SourceProgress ArchiveSource::progress(std::int64_t done) const {
    const std::lock_guard lock(m_mutex);
    if (m_reader == nullptr) {
        return {"Reading the archive", done};
    }
    const auto read = std::max<std::int64_t>(m_reader->packedBytesRead(), 1);
    const double share = static_cast<double>(m_fileBytes) / static_cast<double>(read);
    return {"Reading the archive", std::max(done, static_cast<std::int64_t>(static_cast<double>(done) * share))};
}

SetLayout ArchiveSource::layout() const {
    const std::lock_guard lock(m_mutex);
    return m_layout;
}

std::vector<std::uint8_t> ArchiveSource::original(const std::string& path) const {
    ArchiveReader reader(m_path);
    while (const auto member = reader.next({})) {
        const auto top = topOf(member->path);
        if (top && member->kind == ArchiveMember::Kind::File && member->path.substr(top->size()) == path) {
            return reader.read({});
        }
    }
    throw DataError(fmt::format("{} no longer holds {}.", readableText(m_path.native()), readableText(path)));
}

} // namespace halfstep::data
