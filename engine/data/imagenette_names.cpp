#include "engine/data/imagenette_names.h"
#include <algorithm>

namespace halfstep::data {

bool isWnid(std::string_view folder) {
    return folder.size() == 9 && folder[0] == 'n' &&
           std::all_of(folder.begin() + 1, folder.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view classNameOf(std::string_view folder) {
    const auto* found = std::find_if(imagenetteClasses.begin(), imagenetteClasses.end(),
                                     [&](const ImagenetteClass& c) { return c.wnid == folder; });
    return found != imagenetteClasses.end() ? found->name : folder;
}

} // namespace halfstep::data
