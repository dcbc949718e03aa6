#pragma once
#include "engine/data/dataset.h"
#include <map>
#include <optional>
#include <set>
#include <string>

namespace halfstep::data {

/// Where in a set a file lies: "train/dog/a/b.jpg" is in Split::Train, class folder "dog".
struct PlaceInSet {
    Split split = Split::Train;
    std::string classFolder; ///< empty for a file directly in train/ or val/
};

/// The folders of a set, without its pictures. Names are bytes as the file system or archive has them.
struct SetLayout {
    bool hasTrain = false;
    bool hasValidation = false;
    std::set<std::string>
        trainFolders; ///< std::string compares bytes: for UTF-8 that is by code point, in every locale
    std::set<std::string> validationFolders;
    std::int64_t loosePictures = 0; ///< picture files in train/ or val/ outside class folders

    /// The classes in label order: the folders of train/.
    std::map<std::string, int> labels() const;
};

/// "train" or "val".
std::string splitFolder(Split split);

/// Takes a path relative to the set apart; empty if it is not below train/ or val/. Its parts are separated by '/'.
std::optional<PlaceInSet> placeOf(const std::string& path);

/// Throws DataError, naming `source`, if nothing can be trained with this layout whatever the pictures are: no
/// train/, no class folders, or not one class of val/ that train/ has.
void checkLayout(const SetLayout& layout, const std::string& source);

/// Sentences about classes that are not in both splits, empty ones, a single one, a missing val/. `classes` is in
/// label order and counts the usable pictures; `leftOut` are the pictures of each class that only val/ has.
std::vector<std::string> layoutWarnings(const SetLayout& layout, const std::vector<ClassInfo>& classes,
                                        const std::map<std::string, std::int64_t>& leftOut);

} // namespace halfstep::data
