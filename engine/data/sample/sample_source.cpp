#include "engine/data/sample/sample_source.h"
#include "engine/data/imagenette_names.h"
#include "engine/data/sample/scenery.h"
#include "engine/data/sample/things.h"
#include "engine/tensor/error.h"
#include <array>
#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

namespace halfstep::data {
namespace {

constexpr int classCount = static_cast<int>(imagenetteClasses.size());
/// Raise it when any picture changes: it is in the key of the cache.
constexpr int sampleVersion = 4;

struct Thing {
    void (*draw)(Painter&, Random&);
    double size;   ///< of a length of 1 in it, relative to the others
    double tilt;   ///< turns, to either side
    double shadow; ///< how far below its middle it stands; 0: it does not stand
    Place usualPlace;
};

constexpr std::array<Thing, 10> things{{{drawTench, 0.95, 0.09, 0.4, Place::Water},
                                        {drawSpringer, 0.95, 0.02, 0.92, Place::Meadow},
                                        {drawCassettePlayer, 0.85, 0.04, 0.6, Place::Table},
                                        {drawChainSaw, 0.95, 0.06, 0.35, Place::Wall},
                                        {drawChurch, 0.95, 0.008, 0.95, Place::Meadow},
                                        {drawFrenchHorn, 0.85, 0.1, 0.85, Place::Table},
                                        {drawGarbageTruck, 0.95, 0.015, 0.7, Place::Street},
                                        {drawGasPump, 0.9, 0.015, 1.0, Place::Street},
                                        {drawGolfBall, 0.6, 0.02, 0.8, Place::Meadow},
                                        {drawParachute, 0.85, 0.05, 0, Place::Sky}}};

std::string pathOf(Split split, int label, int number) {
    return fmt::format("{}/{}/drawn_{:03}.png", splitFolder(split),
                       imagenetteClasses[static_cast<std::size_t>(label)].wnid, number + 1);
}

struct Index {
    Split split;
    int label;
    int number;
};

std::optional<Index> indexAt(int position) {
    constexpr int train = classCount * sampleTrainPerClass;
    if (position < train) {
        return Index{Split::Train, position % classCount, position / classCount};
    }
    position -= train;
    if (position < classCount * sampleValidationPerClass) {
        return Index{Split::Validation, position % classCount, position / classCount};
    }
    return std::nullopt;
}

} // namespace

RgbImage drawSamplePicture(Split split, int label, int number) {
    const auto numberInSet =
        static_cast<std::uint64_t>((split == Split::Train ? 0 : 1'000'000) + number * classCount + label);
    Random random(0x48616c6673746570U + numberInSet);
    const Thing& thing = things.at(static_cast<std::size_t>(label));
    Painter painter(samplePictureSide);
    const auto anyPlace = static_cast<Place>(random.below(6));
    const Scene scene = paintBackground(painter, random, random.chance(0.4) ? thing.usualPlace : anyPlace);
    paintClutter(painter, random, scene, static_cast<int>(random.below(7)));

    constexpr double side = samplePictureSide;
    const double scale = side * thing.size * random.between(0.2, 0.46);
    const double room = std::max(side * 0.5 - scale * 0.75, 0.04 * side);
    Placement placement{.centre = {side * 0.5 + random.between(-1, 1) * room, 0},
                        .scale = scale,
                        .turns = random.between(-thing.tilt, thing.tilt),
                        .mirrored = random.chance(0.5)};
    const double ground = scene.groundY * side / 256;
    placement.centre.y = thing.shadow > 0 ? std::min(ground - thing.shadow * scale + 0.05 * side, side - 0.7 * scale)
                                          : side * 0.5 + random.between(-1, 1) * room;
    placement.centre.y = std::max(placement.centre.y, 0.7 * scale);
    painter.place(placement);
    if (thing.shadow > 0) {
        painter.glow({0.05, thing.shadow}, 1.15, 0.2, {0, 0, 0}, 0.6);
    }
    thing.draw(painter, random);
    if (random.chance(0.45)) { // something before it
        paintClutter(painter, random, {scene.groundY + 40}, 3);
    }
    paintLight(painter, random);
    return painter.take();
}

std::string SampleSource::key() const {
    return fmt::format("sample-version-{:03}", sampleVersion);
}

std::int64_t SampleSource::expectedPictures() const {
    return static_cast<std::int64_t>(classCount) * (sampleTrainPerClass + sampleValidationPerClass);
}

std::optional<SourceFile> SampleSource::next(const std::stop_token& stop) {
    if (stop.stop_requested()) {
        throw Cancelled();
    }
    const auto index = indexAt(m_next.fetch_add(1));
    if (!index) {
        return std::nullopt;
    }
    return SourceFile{pathOf(index->split, index->label, index->number), 0,
                      drawSamplePicture(index->split, index->label, index->number)};
}

SetLayout SampleSource::layout() const {
    SetLayout layout{
        .hasTrain = true, .hasValidation = true, .trainFolders = {}, .validationFolders = {}, .loosePictures = 0};
    for (const ImagenetteClass& c : imagenetteClasses) {
        layout.trainFolders.insert(std::string(c.wnid));
        layout.validationFolders.insert(std::string(c.wnid));
    }
    return layout;
}

std::vector<std::uint8_t> SampleSource::original(const std::string& path) const {
    for (int position = 0; const auto index = indexAt(position); ++position) {
        if (pathOf(index->split, index->label, index->number) == path) {
            RgbImage picture = drawSamplePicture(index->split, index->label, index->number);
            cv::Mat pixels(picture.height, picture.width, CV_8UC3, picture.pixels.data());
            cv::cvtColor(pixels, pixels, cv::COLOR_RGB2BGR);
            std::vector<std::uint8_t> png;
            cv::imencode(".png", pixels, png);
            return png;
        }
    }
    throw DataError(fmt::format("The drawn sample has no picture {}.", path));
}

} // namespace halfstep::data
