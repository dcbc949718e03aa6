#pragma once
#include "engine/data/dataset.h"
#include "engine/data/decode.h"
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halfstep::testing {

/// A folder of its own for one test, removed at its end.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

void writeFile(const std::filesystem::path& path, const std::string& bytes);
std::string readText(const std::filesystem::path& path);

/// A picture of one colour, encoded; `extension` as OpenCV takes it (".png", ".jpg").
std::string plainPicture(int width, int height, int red, int green, int blue, const std::string& extension = ".png");
/// A JPEG with so much in it that a cut anywhere loses picture.
std::string busyJpeg(int width, int height);

/// A file or folder of a tar archive: a path and, for a file, its bytes.
struct TarMember {
    std::string path;
    std::string bytes;
    std::string linkTo; ///< not empty: a symbolic link
};
void writeTar(const std::filesystem::path& path, const std::vector<TarMember>& members, bool gzip = true);

/// Opens with a cache in `cache`, without progress, on `threads` threads.
std::shared_ptr<const data::Dataset> open(const std::filesystem::path& source, const std::filesystem::path& cache,
                                          int imageSize = 16, int threads = 2);

/// $HALFSTEP_TEST_DATA, or ../shared beside the source folder; empty where neither is. Holds data/ and cases/.
std::optional<std::filesystem::path> sharedFolder();
/// Unpacks `archive` (below the shared folder) into `target` with the system's tar.
void unpack(const std::filesystem::path& archive, const std::filesystem::path& target);

std::optional<std::string> reasonFor(const data::DatasetInfo& info, const std::string& path);
bool contains(const std::vector<std::string>& sentences, const std::string& part);
/// R, G, B at one pixel.
std::vector<int> pixelAt(const data::RgbImage& image, int x, int y);

} // namespace halfstep::testing
