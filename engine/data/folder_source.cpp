#include "engine/data/folder_source.h"
#include "engine/data/content_hash.h"
#include "engine/data/file_bytes.h"
#include "engine/data/ignored_names.h"
#include "engine/data/readable_text.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <fmt/format.h>
#include <sys/stat.h>

namespace halfstep::data {
namespace fs = std::filesystem;
namespace {

/// What lies in a folder, without ignored names, in byte order.
std::vector<fs::path> entriesOf(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> entries;
    fs::directory_iterator iterator(folder, error);
    for (; !error && iterator != fs::directory_iterator(); iterator.increment(error)) {
        if (!isIgnoredName(iterator->path().filename().native())) {
            entries.push_back(iterator->path());
        }
    }
    if (error) {
        throw DataError(
            fmt::format("The folder {} cannot be read: {}.", readableText(folder.native()), error.message()));
    }
    std::sort(entries.begin(), entries.end(),
              [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
    return entries;
}

bool isFolder(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

/// `given` itself, or the one folder in it that holds train/ (archives are packed with a folder around).
fs::path rootOf(const fs::path& given) {
    if (isFolder(given / "train") || isFolder(given / "val")) {
        return given;
    }
    std::vector<fs::path> candidates;
    for (const fs::path& entry : entriesOf(given)) {
        if (isFolder(entry / "train")) {
            candidates.push_back(entry);
        }
    }
    if (candidates.size() > 1) {
        throw DataError(fmt::format("{} holds {} sets ({}, {}, ...). Name one of them.", readableText(given.native()),
                                    candidates.size(), readableText(candidates[0].filename().native()),
                                    readableText(candidates[1].filename().native())));
    }
    return candidates.empty() ? given : candidates.front();
}

} // namespace

FolderSource::FolderSource(const std::string& source) {
    std::error_code error;
    const fs::path whole = fs::canonical(source, error);
    m_root = rootOf(error ? fs::path(source) : whole);
    scanSplit(Split::Train);
    scanSplit(Split::Validation);
    checkLayout(m_layout, readableText(m_root.native()));
    std::sort(m_files.begin(), m_files.end(), [](const File& a, const File& b) { return a.path < b.path; });
    m_key = computeKey();
}

void FolderSource::scanSplit(Split split) {
    const fs::path folder = m_root / splitFolder(split);
    if (!isFolder(folder)) {
        return;
    }
    const bool train = split == Split::Train;
    (train ? m_layout.hasTrain : m_layout.hasValidation) = true;
    for (const fs::path& entry : entriesOf(folder)) {
        const std::string name = entry.filename().native();
        if (isFolder(entry)) {
            (train ? m_layout.trainFolders : m_layout.validationFolders).insert(name);
            scanClass(entry, splitFolder(split) + "/" + name);
        } else if (looksLikePicture(name)) {
            ++m_layout.loosePictures;
        }
    }
}

void FolderSource::scanClass(const fs::path& folder, const std::string& relative) {
    for (const fs::path& entry : entriesOf(folder)) {
        const std::string path = relative + "/" + entry.filename().native();
        struct stat facts {};
        std::error_code error;
        if (stat(entry.c_str(), &facts) != 0) {
            m_files.push_back({path}); // a link to nothing: reading it will say so
        } else if (!S_ISDIR(facts.st_mode)) {
            m_files.push_back({path, facts.st_size, facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec});
        } else if (!fs::is_symlink(entry, error)) { // a linked folder below could lead round in a circle
            scanClass(entry, path);
        }
    }
}

std::string FolderSource::computeKey() const {
    ContentHash hash;
    hash.add("folder");
    for (const auto* folders : {&m_layout.trainFolders, &m_layout.validationFolders}) {
        hash.add(static_cast<std::int64_t>(folders->size()));
        for (const std::string& folder : *folders) {
            hash.add(folder);
        }
    }
    hash.add(static_cast<std::int64_t>(m_layout.hasValidation));
    hash.add(m_layout.loosePictures);
    for (const File& file : m_files) {
        hash.add(file.path);
        hash.add(file.bytes);
        hash.add(file.modified);
    }
    return hash.text();
}

std::string FolderSource::displayName() const {
    return readableText(m_root.filename().native());
}

std::optional<SourceFile> FolderSource::next(const std::stop_token& stop) {
    if (stop.stop_requested()) {
        throw Cancelled();
    }
    const std::size_t index = m_next.fetch_add(1);
    if (index >= m_files.size()) {
        return std::nullopt;
    }
    SourceFile file{m_files[index].path, m_files[index].bytes, {}};
    try {
        auto bytes = readFile(m_root / file.path);
        file.fileBytes = static_cast<std::int64_t>(bytes.size());
        file.content = std::move(bytes);
    } catch (const DataError& reason) {
        file.content = std::string(reason.what());
    }
    return file;
}

std::vector<std::uint8_t> FolderSource::original(const std::string& path) const {
    try {
        return readFile(m_root / path);
    } catch (const DataError& reason) {
        throw DataError(fmt::format("{}: {}.", readableText((m_root / path).native()), reason.what()));
    }
}

} // namespace halfstep::data
