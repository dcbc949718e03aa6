#include "engine/data/ignored_names.h"
#include <algorithm>
#include <array>
#include <string>

namespace halfstep::data {
namespace {

std::string lowered(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; // not tolower: it follows the locale
    }
    return result;
}

} // namespace

bool isIgnoredName(std::string_view name) {
    constexpr std::array<std::string_view, 4> leftBehind{"thumbs.db", "desktop.ini", "__macosx", "@eadir"};
    if (name.empty() || name.front() == '.') {
        return true;
    }
    const std::string plain = lowered(name);
    return std::find(leftBehind.begin(), leftBehind.end(), plain) != leftBehind.end();
}

bool looksLikePicture(std::string_view name) {
    constexpr std::array<std::string_view, 8> endings{".jpeg", ".jpg", ".png",  ".bmp",
                                                      ".webp", ".tif", ".tiff", ".gif"};
    const std::string plain = lowered(name);
    return std::any_of(endings.begin(), endings.end(),
                       [&](std::string_view ending) { return plain.ends_with(ending); });
}

} // namespace halfstep::data
