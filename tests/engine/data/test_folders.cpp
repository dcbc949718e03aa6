#include "tests/engine/data/test_folders.h"
#include "engine/tensor/random.h"
#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <cstdlib>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <sstream>
#include <stdexcept>

namespace halfstep::testing {
namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "halfstep-test-XXXXXX").native();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("no temporary folder");
    }
    m_path = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

void writeFile(const fs::path& path, const std::string& bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
}

std::string readText(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

namespace {

std::string encoded(const cv::Mat& picture, const std::string& extension) {
    std::vector<unsigned char> bytes;
    cv::imencode(extension, picture, bytes);
    return {bytes.begin(), bytes.end()};
}

} // namespace

std::string plainPicture(int width, int height, int red, int green, int blue, const std::string& extension) {
    return encoded(cv::Mat(height, width, CV_8UC3, cv::Scalar(blue, green, red)), extension);
}

std::string busyJpeg(int width, int height) {
    cv::Mat picture(height, width, CV_8UC3);
    tensor::Random random(1);
    std::generate_n(picture.data, picture.total() * 3, [&] { return static_cast<unsigned char>(random.below(256)); });
    return encoded(picture, ".jpg");
}

void writeTar(const fs::path& path, const std::vector<TarMember>& members, bool gzip) {
    archive* out = archive_write_new();
    archive_write_set_format_gnutar(out);
    if (gzip) {
        archive_write_add_filter_gzip(out);
    }
    archive_write_open_filename(out, path.c_str());
    for (const TarMember& member : members) {
        archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, member.path.c_str());
        archive_entry_set_perm(entry, 0644);
        if (!member.linkTo.empty()) {
            archive_entry_set_filetype(entry, AE_IFLNK);
            archive_entry_set_symlink(entry, member.linkTo.c_str());
        } else if (member.path.ends_with('/')) {
            archive_entry_set_filetype(entry, AE_IFDIR);
        } else {
            archive_entry_set_filetype(entry, AE_IFREG);
            archive_entry_set_size(entry, static_cast<la_int64_t>(member.bytes.size()));
        }
        archive_write_header(out, entry);
        archive_write_data(out, member.bytes.data(), member.bytes.size());
        archive_entry_free(entry);
    }
    archive_write_free(out);
}

std::shared_ptr<const data::Dataset> open(const fs::path& source, const fs::path& cache, int imageSize, int threads) {
    return data::openDataset(source.native(), {.imageSize = imageSize, .cacheFolder = cache, .threads = threads});
}

std::optional<fs::path> sharedFolder() {
    const char* given = std::getenv("HALFSTEP_TEST_DATA");
    const fs::path folder = given != nullptr ? fs::path(given) : fs::path(HALFSTEP_SOURCE_FOLDER) / ".." / "shared";
    return fs::is_directory(folder / "data") && fs::is_directory(folder / "cases")
               ? std::optional(fs::canonical(folder))
               : std::nullopt;
}

void unpack(const fs::path& archive, const fs::path& target) {
    fs::create_directories(target);
    const std::string command = "tar xzf '" + archive.native() + "' -C '" + target.native() + "'";
    if (std::system(command.c_str()) != 0) {
        throw std::runtime_error("cannot unpack " + archive.native());
    }
}

std::optional<std::string> reasonFor(const data::DatasetInfo& info, const std::string& path) {
    const auto found =
        std::find_if(info.skipped.begin(), info.skipped.end(), [&](const auto& s) { return s.path == path; });
    return found != info.skipped.end() ? std::optional(found->reason) : std::nullopt;
}

bool contains(const std::vector<std::string>& sentences, const std::string& part) {
    return std::any_of(sentences.begin(), sentences.end(),
                       [&](const std::string& sentence) { return sentence.find(part) != std::string::npos; });
}

std::vector<int> pixelAt(const data::RgbImage& image, int x, int y) {
    const auto at =
        (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * 3;
    return {image.pixels.at(at), image.pixels.at(at + 1), image.pixels.at(at + 2)};
}

} // namespace halfstep::testing
