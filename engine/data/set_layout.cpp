#include "engine/data/set_layout.h"
#include "engine/data/imagenette_names.h"
#include "engine/data/readable_text.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::data {
namespace {

std::string listed(const std::set<std::string>& folders) {
    constexpr std::size_t shown = 5;
    std::string text;
    std::size_t count = 0;
    for (const std::string& folder : folders) {
        if (count++ == shown) {
            return text + fmt::format(" and {} more", folders.size() - shown);
        }
        text += (text.empty() ? "" : ", ") + readableText(classNameOf(folder));
    }
    return text;
}

} // namespace

std::map<std::string, int> SetLayout::labels() const {
    std::map<std::string, int> result;
    for (const std::string& folder : trainFolders) {
        result.emplace(folder, static_cast<int>(result.size()));
    }
    return result;
}

std::string splitFolder(Split split) {
    return split == Split::Train ? "train" : "val";
}

std::optional<PlaceInSet> placeOf(const std::string& path) {
    for (const Split split : {Split::Train, Split::Validation}) {
        const std::string prefix = splitFolder(split) + "/";
        if (path.starts_with(prefix)) {
            const auto end = path.find('/', prefix.size());
            return PlaceInSet{split, end == std::string::npos ? "" : path.substr(prefix.size(), end - prefix.size())};
        }
    }
    return std::nullopt;
}

void checkLayout(const SetLayout& layout, const std::string& source) {
    if (!layout.hasTrain) {
        throw DataError(
            fmt::format("{} has no train/ folder{}. A set is a folder with train/ and val/, each with one "
                        "folder of pictures a class.",
                        source, layout.hasValidation ? ", only val/" : ""));
    }
    if (layout.trainFolders.empty() && layout.loosePictures > 0) {
        throw DataError(fmt::format("{}/train has {} but no class folders. Put the pictures into one folder a class.",
                                    source, counted(layout.loosePictures, "picture", "pictures")));
    }
    if (layout.trainFolders.empty()) {
        throw DataError(
            fmt::format("No classes found in {}/train. It must hold one folder of pictures a class.", source));
    }
    const bool anyCommon =
        std::any_of(layout.validationFolders.begin(), layout.validationFolders.end(),
                    [&](const std::string& folder) { return layout.trainFolders.contains(folder); });
    if (!layout.validationFolders.empty() && !anyCommon) {
        throw DataError(
            fmt::format("{}: no class of val/ ({}) is in train/ ({}). The class folders of both must have the "
                        "same names.",
                        source, listed(layout.validationFolders), listed(layout.trainFolders)));
    }
}

std::vector<std::string> layoutWarnings(const SetLayout& layout, const std::vector<ClassInfo>& classes,
                                        const std::map<std::string, std::int64_t>& leftOut) {
    std::vector<std::string> warnings;
    if (!layout.hasValidation) {
        warnings.emplace_back("There is no val/ folder: training goes without validation.");
    } else if (std::all_of(classes.begin(), classes.end(), [](const ClassInfo& c) { return c.validation == 0; })) {
        warnings.emplace_back("val/ has no usable picture: training goes without validation.");
    } else {
        for (const ClassInfo& c : classes) {
            if (c.validation == 0) {
                warnings.push_back(fmt::format("Class {} has no validation pictures.", c.name));
            }
        }
    }
    for (const ClassInfo& c : classes) {
        if (c.train == 0) {
            warnings.push_back(
                fmt::format("Class {} has no training pictures: it keeps its label, and its {} can only be "
                            "taken for another class.",
                            c.name, counted(c.validation, "validation picture", "validation pictures")));
        }
    }
    for (const auto& [folder, count] : leftOut) {
        warnings.push_back(fmt::format("Class {} is in val/ but not in train/: its {} left out.",
                                       readableText(classNameOf(folder)),
                                       counted(count, "picture is", "pictures are")));
    }
    if (classes.size() == 1) {
        warnings.push_back(
            fmt::format("There is one class only ({}): the loss is 0 from the start and there is nothing to "
                        "learn.",
                        classes.front().name));
    }
    if (layout.loosePictures > 0) {
        warnings.push_back(fmt::format("{} directly in train/ or val/, outside the class folders: left out.",
                                       counted(layout.loosePictures, "picture lies", "pictures lie")));
    }
    return warnings;
}

} // namespace halfstep::data
