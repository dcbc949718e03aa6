#include "engine/data/cache_builder.h"
#include "engine/data/content_hash.h"
#include "engine/data/imagenette_names.h"
#include "engine/data/picture_worker.h"
#include "engine/data/readable_text.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <opencv2/core.hpp>
#include <thread>

namespace halfstep::data {
namespace {

/// What the workers and the waiting thread share.
struct Crew {
    std::mutex mutex;
    std::condition_variable changed;
    int working = 0;
    std::exception_ptr failure; ///< the first
    std::atomic<std::int64_t> done{0};
    std::stop_source stop;
};

void work(PictureSource& source, CacheWriter& writer, int imageSize, Crew& crew, WorkerResult& result) {
    try {
        PictureWorker worker(writer, imageSize);
        const std::stop_token stop = crew.stop.get_token();
        while (auto file = source.next(stop)) {
            worker.take(std::move(*file), result, stop);
            ++crew.done;
        }
    } catch (...) {
        const std::lock_guard lock(crew.mutex);
        if (!crew.failure) {
            crew.failure = std::current_exception();
        }
        crew.stop.request_stop();
    }
    const std::lock_guard lock(crew.mutex);
    --crew.working;
    crew.changed.notify_all();
}

/// Runs the workers to their end, reporting meanwhile on this thread.
WorkerResult runCrew(PictureSource& source, CacheWriter& writer, const BuildOptions& options,
                     const ProgressSink& progress, const std::stop_token& stop) {
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    const int threads = std::max(options.threads > 0 ? options.threads : cores, 1);
    Crew crew;
    crew.working = threads;
    const std::stop_callback passOn(stop, [&] { crew.stop.request_stop(); });
    std::vector<WorkerResult> results(static_cast<std::size_t>(threads));
    std::vector<std::jthread> workers;
    try {
        for (WorkerResult& result : results) {
            workers.emplace_back([&] { work(source, writer, options.imageSize, crew, result); });
        }
    } catch (const std::system_error&) { // those that have started end as the vector goes
        crew.stop.request_stop();
        throw OutOfMemoryError(fmt::format("the stack of thread {} of {} that read pictures wants memory that the "
                                           "system does not give",
                                           workers.size() + 1, threads),
                               "Choose fewer threads, or end other programs.");
    }
    std::unique_lock lock(crew.mutex);
    bool working = true;
    while (working) { // at least once: the last report has all files
        crew.changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return crew.working == 0; });
        working = crew.working > 0;
        lock.unlock();
        const std::int64_t done = crew.done;
        const SourceProgress now = source.progress(done);
        writer.expect(now.total);
        constexpr std::int64_t enoughToEstimate = 100;
        try {
            if (source.expectedPictures() == 0 && done >= enoughToEstimate) {
                writer.checkSpace(now.total);
            }
            if (progress) {
                progress({now.activity, done, now.total});
            }
        } catch (...) { // the workers use what is on this stack: they end first
            crew.stop.request_stop();
            workers.clear();
            throw;
        }
        lock.lock();
    }
    lock.unlock();
    workers.clear();
    if (stop.stop_requested()) {
        throw Cancelled();
    }
    if (crew.failure) {
        std::rethrow_exception(crew.failure);
    }
    WorkerResult all;
    for (WorkerResult& result : results) {
        std::move(result.pictures.begin(), result.pictures.end(), std::back_inserter(all.pictures));
        std::move(result.skipped.begin(), result.skipped.end(), std::back_inserter(all.skipped));
    }
    return all;
}

std::string fingerprintOf(const std::vector<BuiltPicture>& pictures, const SetLayout& layout) {
    ContentHash hash;
    for (const std::string& folder : layout.trainFolders) {
        hash.add(folder);
    }
    for (const BuiltPicture& picture : pictures) {
        hash.add(picture.cached.sourcePath);
        hash.add(picture.contentHash);
    }
    return hash.text();
}

/// Mean and standard deviation of the train split's pixels, 0 to 1.
void fillStatistics(DatasetInfo& info, const std::vector<BuiltPicture>& pictures) {
    std::array<double, 3> sum{};
    std::array<double, 3> squares{};
    double count = 0;
    for (const BuiltPicture& picture : pictures) {
        if (picture.place.split == Split::Train) {
            count += static_cast<double>(info.imageSize) * info.imageSize;
            for (std::size_t c = 0; c < 3; ++c) {
                sum[c] += static_cast<double>(picture.sums.sum[c]);
                squares[c] += static_cast<double>(picture.sums.squares[c]);
            }
        }
    }
    for (std::size_t c = 0; c < 3 && count > 0; ++c) {
        const double mean = sum[c] / count;
        info.mean[c] = mean / 255;
        info.deviation[c] = std::sqrt(std::max(squares[c] / count - mean * mean, 0.0)) / 255;
    }
    const auto byArea = [](const BuiltPicture& a, const BuiltPicture& b) {
        const auto area = [](const Photograph& p) { return static_cast<std::int64_t>(p.width) * p.height; };
        return area(a.cached.photograph) < area(b.cached.photograph);
    };
    const auto [smallest, largest] = std::minmax_element(pictures.begin(), pictures.end(), byArea);
    if (smallest != pictures.end()) {
        info.smallest = {smallest->cached.photograph.width, smallest->cached.photograph.height};
        info.largest = {largest->cached.photograph.width, largest->cached.photograph.height};
    }
}

/// Moves the pictures of classes that train/ does not have to the skipped ones.
std::map<std::string, std::int64_t> leaveOutUnknownClasses(WorkerResult& all,
                                                           const std::map<std::string, int>& labels) {
    std::map<std::string, std::int64_t> leftOut;
    std::erase_if(all.pictures, [&](const BuiltPicture& picture) {
        if (labels.contains(picture.place.classFolder)) {
            return false;
        }
        ++leftOut[picture.place.classFolder];
        all.skipped.push_back({picture.cached.photograph.path, "its class is not in train/"});
        return true;
    });
    return leftOut;
}

void checkUsable(const DatasetInfo& info, const std::string& source) {
    const bool any =
        std::any_of(info.classes.begin(), info.classes.end(), [](const ClassInfo& c) { return c.train > 0; });
    if (any) {
        return;
    }
    std::string text = fmt::format("{} has no picture to train with: {} found, {} skipped", source,
                                   counted(info.found, "file", "files"), info.skipped.size());
    if (!info.skipped.empty()) {
        text += fmt::format(", the first because {} ({})", info.skipped.front().reason, info.skipped.front().path);
    }
    throw DataError(text + ".");
}

} // namespace

CacheContent buildCache(PictureSource& source, CacheWriter& writer, const BuildOptions& options,
                        const ProgressSink& progress, const std::stop_token& stop) {
    cv::setNumThreads(1); // the pictures are shared out, not the rows of one
    writer.expect(source.expectedPictures());
    writer.checkSpace(source.expectedPictures());
    WorkerResult all = runCrew(source, writer, options, progress, stop);

    const SetLayout layout = source.layout();
    checkLayout(layout, options.sourceText);
    const auto labels = layout.labels();
    const auto leftOut = leaveOutUnknownClasses(all, labels);
    for (BuiltPicture& picture : all.pictures) {
        picture.cached.photograph.label = labels.at(picture.place.classFolder);
    }
    std::sort(all.pictures.begin(), all.pictures.end(), [](const BuiltPicture& a, const BuiltPicture& b) {
        return std::tie(a.place.split, a.cached.photograph.label, a.cached.sourcePath) <
               std::tie(b.place.split, b.cached.photograph.label, b.cached.sourcePath);
    });
    std::sort(all.skipped.begin(), all.skipped.end(),
              [](const SkippedFile& a, const SkippedFile& b) { return a.path < b.path; });

    CacheContent content;
    DatasetInfo& info = content.info;
    info.drawn = source.drawn();
    info.imageSize = options.imageSize;
    for (const auto& [folder, label] : labels) {
        info.classes.push_back({readableText(classNameOf(folder)), isWnid(folder) ? folder : "", 0, 0});
    }
    info.fingerprint = fingerprintOf(all.pictures, layout);
    fillStatistics(info, all.pictures);
    info.used = static_cast<std::int64_t>(all.pictures.size());
    info.skipped = std::move(all.skipped);
    info.found = info.used + static_cast<std::int64_t>(info.skipped.size());
    for (BuiltPicture& picture : all.pictures) {
        ClassInfo& itsClass = info.classes[static_cast<std::size_t>(picture.cached.photograph.label)];
        ++(picture.place.split == Split::Train ? itsClass.train : itsClass.validation);
        content.pictures[static_cast<std::size_t>(picture.place.split)].push_back(std::move(picture.cached));
    }
    checkUsable(info, options.sourceText);
    info.warnings = layoutWarnings(layout, info.classes, leftOut);
    return content;
}

} // namespace halfstep::data
