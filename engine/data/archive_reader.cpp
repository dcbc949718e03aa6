#include "engine/data/archive_reader.h"
#include "engine/data/readable_text.h"
#include "engine/tensor/error.h"
#include <archive.h>
#include <archive_entry.h>
#include <clocale>
#include <fmt/format.h>
#include <locale.h>
#include <string_view>

namespace halfstep::data {
namespace {

/// libarchive turns names into the locale's encoding: in the C locale it would lose every letter outside ASCII. While
/// it works, this thread's locale is UTF-8.
class Utf8Locale {
public:
    Utf8Locale() : m_locale(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
        if (m_locale != nullptr) {
            m_before = uselocale(m_locale);
        }
    }
    ~Utf8Locale() {
        if (m_locale != nullptr) {
            uselocale(m_before);
            freelocale(m_locale);
        }
    }
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;

private:
    locale_t m_locale;
    locale_t m_before = nullptr;
};

/// Follows `path` from `start` (parts separated by '/'); empty if it leaves the folder.
std::optional<std::string> followed(std::string_view path, std::string_view start = {}) {
    if (path.starts_with('/')) {
        return std::nullopt;
    }
    std::vector<std::string_view> parts;
    for (std::string_view rest : {start, path}) {
        while (!rest.empty()) {
            const auto end = std::min(rest.find('/'), rest.size());
            const std::string_view part = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            if (part == "..") {
                if (parts.empty()) {
                    return std::nullopt;
                }
                parts.pop_back();
            } else if (!part.empty() && part != ".") {
                parts.push_back(part);
            }
        }
    }
    std::string result;
    for (const std::string_view part : parts) {
        if (!result.empty()) {
            result += '/';
        }
        result += part;
    }
    return result;
}

bool hasParentPart(std::string_view path) {
    return fmt::format("/{}/", path).find("/../") != std::string::npos;
}

std::string textOr(const char* text, const char* other) {
    return text != nullptr ? text : other != nullptr ? other : "";
}

} // namespace

struct ArchiveReader::State {
    struct Free {
        void operator()(archive* a) const { archive_read_free(a); }
    };
    std::string name;
    std::unique_ptr<archive, Free> handle{archive_read_new()};
    std::int64_t memberBytes = 0;
    std::int64_t members = 0;

    [[noreturn]] void fail() const {
        const char* text = archive_error_string(handle.get());
        const std::string reason = text != nullptr ? readableText(text) : "unknown reason";
        if (members == 0) {
            throw DataError(
                fmt::format("{} cannot be read as an archive ({}). A set is a folder with train/ and val/, or a "
                            ".tgz or .tar of such a folder.",
                            name, reason));
        }
        throw DataError(
            fmt::format("{} is damaged or ends early: it can be read for {} only ({}). Get the file again.", name,
                        counted(members, "member", "members"), reason));
    }

    void refuse(const std::string& path, const std::string& why) const {
        throw DataError(fmt::format("{} is refused: its member {} {}. Get the archive from a source that you trust.",
                                    name, readableText(path), why));
    }
};

ArchiveReader::ArchiveReader(const std::filesystem::path& path) : m_state(std::make_unique<State>()) {
    m_state->name = readableText(path.native());
    archive* handle = m_state->handle.get();
    archive_read_support_format_tar(handle);
    archive_read_support_filter_gzip(handle);
    archive_read_support_filter_bzip2(handle);
    archive_read_support_filter_xz(handle);
    archive_read_support_filter_zstd(handle);
    archive_read_support_filter_lz4(handle);
    if (archive_read_open_filename(handle, path.c_str(), std::size_t{1} << 18U) != ARCHIVE_OK) {
        m_state->fail();
    }
}

ArchiveReader::~ArchiveReader() = default;

std::optional<ArchiveMember> ArchiveReader::next(const std::stop_token& stop) {
    if (stop.stop_requested()) {
        throw Cancelled();
    }
    const Utf8Locale locale;
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(m_state->handle.get(), &entry);
    if (result == ARCHIVE_EOF) {
        return std::nullopt;
    }
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
        m_state->fail();
    }
    ++m_state->members;
    const std::string raw = textOr(archive_entry_pathname(entry), archive_entry_pathname_utf8(entry));
    const auto path = followed(raw);
    if (!path || hasParentPart(raw)) {
        m_state->refuse(raw, "would be unpacked outside its folder");
    }
    ArchiveMember member{*path, ArchiveMember::Kind::Other, archive_entry_size(entry)};
    m_state->memberBytes = member.bytes;
    const std::string hardLink = textOr(archive_entry_hardlink(entry), archive_entry_hardlink_utf8(entry));
    const std::string softLink = textOr(archive_entry_symlink(entry), archive_entry_symlink_utf8(entry));
    if (!hardLink.empty() || !softLink.empty()) {
        const auto slash = path->rfind('/');
        const std::string folder = slash == std::string::npos ? "" : path->substr(0, slash);
        if (!(hardLink.empty() ? followed(softLink, folder) : followed(hardLink))) {
            m_state->refuse(raw, "is a link to " + readableText(hardLink.empty() ? softLink : hardLink) +
                                     ", outside its folder");
        }
        member.kind = ArchiveMember::Kind::Link;
    } else if (archive_entry_filetype(entry) == AE_IFDIR) {
        member.kind = ArchiveMember::Kind::Folder;
    } else if (archive_entry_filetype(entry) == AE_IFREG) {
        member.kind = ArchiveMember::Kind::File;
    }
    return member;
}

std::vector<std::uint8_t> ArchiveReader::read(const std::stop_token& stop) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(m_state->memberBytes));
    std::size_t have = 0;
    while (have < bytes.size()) {
        if (stop.stop_requested()) {
            throw Cancelled();
        }
        constexpr std::size_t piece = std::size_t{1} << 20U;
        const la_ssize_t got =
            archive_read_data(m_state->handle.get(), bytes.data() + have, std::min(piece, bytes.size() - have));
        if (got <= 0) {
            m_state->fail();
        }
        have += static_cast<std::size_t>(got);
    }
    return bytes;
}

std::int64_t ArchiveReader::packedBytesRead() const {
    return archive_filter_bytes(m_state->handle.get(), -1);
}

} // namespace halfstep::data
