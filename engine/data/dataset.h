#pragma once
#include "engine/values/run_event.h"
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace halfstep::data {

enum class Split { Train, Validation };

/// A class of the set; its label is its rank in DatasetInfo::classes.
struct ClassInfo {
    std::string name; ///< for people: "tench"
    std::string wnid; ///< "n01440764", empty if the folder is not named by one
    std::int64_t train = 0;
    std::int64_t validation = 0;
};

struct SkippedFile {
    std::string path; ///< relative to the set
    std::string reason;
};

struct Photograph {
    std::string path; ///< relative to the set: "train/n01440764/n01440764_96.JPEG"
    int label = 0;
    int width = 0; ///< of the original, after its orientation is applied, in pixels
    int height = 0;
    std::int64_t fileBytes = 0;
    std::string format; ///< "JPEG", "PNG", "drawn"
};

struct DatasetInfo {
    std::string source;      ///< as the user gave it
    std::string displayName; ///< "drawn sample", "mini-imagenette2-160"
    bool drawn = false;      ///< made by the program; say so wherever it shows
    std::vector<ClassInfo> classes;
    std::int64_t found = 0;
    std::int64_t used = 0; ///< found = used + skipped.size()
    std::vector<SkippedFile> skipped;
    std::vector<std::string> warnings;        ///< sentences: "class dog has no validation pictures"
    std::string fingerprint;                  ///< hash of names and contents, hexadecimal
    int imageSize = 0;                        ///< pixels
    std::array<double, 3> mean{};             ///< of R, G, B of the train split, 0 to 1
    std::array<double, 3> deviation{};        ///< standard deviation, likewise
    std::array<int, 2> smallest{}, largest{}; ///< width, height of originals by area

    /// Of the decoded pictures: uint8 [used, imageSize, imageSize, 3] in a file that is mapped.
    std::uint64_t cacheBytes() const {
        return static_cast<std::uint64_t>(used) * static_cast<std::uint64_t>(imageSize) *
               static_cast<std::uint64_t>(imageSize) * 3;
    }
};

/// The pictures of a set, decoded, resized to imageSize x imageSize x 3 (RGB, uint8) and kept in a memory-mapped
/// file. Immutable and safe to read from any thread.
class Dataset {
public:
    virtual ~Dataset() = default;
    virtual const DatasetInfo& info() const = 0;
    virtual const std::vector<Photograph>& photographs(Split split) const = 0;
    /// [imageSize, imageSize, 3] of one picture, valid while the set lives.
    virtual std::span<const std::uint8_t> pixels(Split split, std::int64_t index) const = 0;
    /// The original file's bytes, as an encoded image (a drawn picture as PNG). Slow for an archive (it is read from
    /// its start): never on the GUI thread. Throws DataError if it has gone.
    virtual std::vector<std::uint8_t> original(Split split, std::int64_t index) const = 0;
};

struct OpenOptions {
    int imageSize = 256;
    std::filesystem::path cacheFolder; ///< as cacheFolder() of user_folders.h gives, or a test's own
    int threads = 0;                   ///< 0: all cores
};

using ProgressSink = std::function<void(const values::DataProgress&)>;

/// Opens `source` ("sample", a folder, a .tgz), from the cache if this set at this size has been built before.
/// Throws DataError if nothing can be used, Cancelled if `stop` is requested.
std::shared_ptr<const Dataset> openDataset(const std::string& source, const OpenOptions& options,
                                           const ProgressSink& progress = {}, std::stop_token stop = {});

} // namespace halfstep::data
