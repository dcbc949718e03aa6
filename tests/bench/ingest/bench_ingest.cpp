// How quickly the image cache is built, beside the plainest loop that does the same decoding and resizing:
// cv::imread + cv::resize over the unpacked files on as many threads. The two take turns, so that a machine that is
// busy with something else slows both.
//
//   bench_ingest ARCHIVE.tgz [ROUNDS] [IMAGE_SIZE] [THREADS]

#include "engine/data/archive_reader.h"
#include "engine/data/dataset.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace halfstep;

std::vector<std::string> unpack(const fs::path& archive, const fs::path& folder) {
    std::vector<std::string> pictures;
    data::ArchiveReader reader(archive);
    while (const auto member = reader.next({})) {
        if (member->kind == data::ArchiveMember::Kind::File) {
            const auto bytes = reader.read({});
            const fs::path path = folder / member->path;
            fs::create_directories(path.parent_path());
            std::ofstream(path, std::ios::binary)
                .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
            if (path.extension() == ".JPEG") {
                pictures.push_back(path.native());
            }
        }
    }
    return pictures;
}

/// Pictures per second of the plain loop.
double plainLoop(const std::vector<std::string>& pictures, int imageSize, int threads) {
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    const auto start = std::chrono::steady_clock::now();
    {
        std::vector<std::jthread> workers;
        for (int i = 0; i < threads; ++i) {
            workers.emplace_back([&] {
                cv::Mat resized;
                for (std::size_t k = next++; k < pictures.size(); k = next++) {
                    const cv::Mat picture = cv::imread(pictures[k]);
                    if (!picture.empty()) {
                        cv::resize(picture, resized, {imageSize, imageSize}, 0, 0, cv::INTER_LINEAR);
                        ++done;
                    }
                }
            });
        }
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return static_cast<double>(done) / elapsed.count();
}

/// Pictures per second of openDataset with an empty cache folder.
double buildCache(const fs::path& source, const fs::path& cacheFolder, int imageSize, int threads) {
    fs::remove_all(cacheFolder);
    const auto start = std::chrono::steady_clock::now();
    const auto set =
        data::openDataset(source.native(), {.imageSize = imageSize, .cacheFolder = cacheFolder, .threads = threads});
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return static_cast<double>(set->info().used) / elapsed.count();
}

/// Milliseconds for opening a set that is cached.
double openAgain(const fs::path& source, const fs::path& cacheFolder, int imageSize) {
    const auto start = std::chrono::steady_clock::now();
    data::openDataset(source.native(), {.imageSize = imageSize, .cacheFolder = cacheFolder});
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void print(const char* name, std::vector<double> rates) {
    std::sort(rates.begin(), rates.end());
    fmt::print("{:<34} {:8.0f} pictures/s median ({:.0f} to {:.0f})\n", name, rates[rates.size() / 2], rates.front(),
               rates.back());
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "Usage: bench_ingest ARCHIVE.tgz [ROUNDS] [IMAGE_SIZE] [THREADS]\n");
        return 2;
    }
    const fs::path archive = argv[1];
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
    const int imageSize = argc > 3 ? std::atoi(argv[3]) : 256;
    const int threads = argc > 4 ? std::atoi(argv[4]) : static_cast<int>(std::thread::hardware_concurrency());
    const fs::path work = fs::temp_directory_path() / fmt::format("halfstep-bench-{}", getpid());
    const fs::path cache = work / "cache";
    cv::setNumThreads(1);
    try {
        // The archive first: its peak memory is not to hide behind the loop's.
        std::vector<double> archiveRates{buildCache(archive, cache, imageSize, threads)};
        const double peak = peakMegabytes();
        const double again = openAgain(archive, cache, imageSize);
        const auto pictures = unpack(archive, work / "unpacked");
        std::vector<double> loopRates;
        std::vector<double> folderRates;
        for (int round = 0; round < rounds; ++round) {
            loopRates.push_back(plainLoop(pictures, imageSize, threads));
            archiveRates.push_back(buildCache(archive, cache, imageSize, threads));
            folderRates.push_back(buildCache(work / "unpacked", cache, imageSize, threads));
        }
        fmt::print("{} pictures to {} x {}, {} threads, {} rounds\n", pictures.size(), imageSize, imageSize, threads,
                   rounds);
        print("cv::imread + cv::resize, files:", loopRates);
        print("image cache from the archive:", archiveRates);
        print("image cache from the folder:", folderRates);
        const auto median = [](std::vector<double> v) {
            std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
            return v[v.size() / 2];
        };
        fmt::print("archive / loop: {:.2f}, folder / loop: {:.2f}\n", median(archiveRates) / median(loopRates),
                   median(folderRates) / median(loopRates));
        fmt::print("peak memory of the first build: {:.0f} MB; opening again: {:.1f} ms\n", peak, again);
    } catch (const std::exception& trouble) {
        fmt::print(stderr, "{}\n", trouble.what());
        fs::remove_all(work);
        return 1;
    }
    fs::remove_all(work);
}
