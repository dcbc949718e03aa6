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

std::size_t plainLoop(const std::vector<std::string>& pictures, int imageSize, int threads) {
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
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
    return done;
}

/// openDataset with an empty cache folder.
std::size_t buildCache(const fs::path& source, const fs::path& cacheFolder, int imageSize, int threads) {
    fs::remove_all(cacheFolder);
    const auto set =
        data::openDataset(source.native(), {.imageSize = imageSize, .cacheFolder = cacheFolder, .threads = threads});
    return static_cast<std::size_t>(set->info().used);
}

/// Milliseconds for opening a set that is cached.
double openAgain(const fs::path& source, const fs::path& cacheFolder, int imageSize) {
    const auto start = std::chrono::steady_clock::now();
    data::openDataset(source.native(), {.imageSize = imageSize, .cacheFolder = cacheFolder});
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds of all cores that this process has used: steadier than the wall's on a machine with other work to do.
double processorSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Pictures a second by the wall clock, and what each costs a core.
struct Rate {
    double perSecond = 0;
    double milliseconds = 0;
};

template <class Work>
Rate measured(const Work& work) {
    const double before = processorSeconds();
    const auto start = std::chrono::steady_clock::now();
    const auto pictures = static_cast<double>(work());
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return {pictures / elapsed.count(), 1000 * (processorSeconds() - before) / pictures};
}

double peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

template <class Member>
double median(const std::vector<Rate>& rates, Member member) {
    std::vector<double> values;
    for (const Rate& rate : rates) {
        values.push_back(rate.*member);
    }
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

void print(const char* name, const std::vector<Rate>& rates) {
    const auto [slowest, quickest] = std::minmax_element(
        rates.begin(), rates.end(), [](const Rate& a, const Rate& b) { return a.perSecond < b.perSecond; });
    fmt::print("{:<32} {:6.0f} pictures/s median ({:.0f} to {:.0f}), {:.3f} ms of a core each\n", name,
               median(rates, &Rate::perSecond), slowest->perSecond, quickest->perSecond,
               median(rates, &Rate::milliseconds));
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
        const auto fromArchive = [&] { return buildCache(archive, cache, imageSize, threads); };
        std::vector<Rate> archiveRates{measured(fromArchive)};
        const double peak = peakMegabytes();
        const double again = openAgain(archive, cache, imageSize);
        const auto pictures = unpack(archive, work / "unpacked");
        std::vector<Rate> loopRates;
        std::vector<Rate> folderRates;
        for (int round = 0; round < rounds; ++round) {
            loopRates.push_back(measured([&] { return plainLoop(pictures, imageSize, threads); }));
            archiveRates.push_back(measured(fromArchive));
            folderRates.push_back(measured([&] { return buildCache(work / "unpacked", cache, imageSize, threads); }));
        }
        fmt::print("{} pictures to {} x {}, {} threads, {} rounds\n", pictures.size(), imageSize, imageSize, threads,
                   rounds);
        print("cv::imread + cv::resize, files:", loopRates);
        print("image cache from the archive:", archiveRates);
        print("image cache from the folder:", folderRates);
        const auto ratio = [&](const std::vector<Rate>& rates) {
            return fmt::format("{:.2f} by the wall, {:.2f} by cores",
                               median(rates, &Rate::perSecond) / median(loopRates, &Rate::perSecond),
                               median(loopRates, &Rate::milliseconds) / median(rates, &Rate::milliseconds));
        };
        fmt::print("archive / loop: {}; folder / loop: {}\n", ratio(archiveRates), ratio(folderRates));
        fmt::print("peak memory of the first build: {:.0f} MB; opening again: {:.1f} ms\n", peak, again);
    } catch (const std::exception& trouble) {
        fmt::print(stderr, "{}\n", trouble.what());
        fs::remove_all(work);
        return 1;
    }
    fs::remove_all(work);
}
