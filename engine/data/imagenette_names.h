#pragma once
#include <array>
#include <string_view>

namespace halfstep::data {

struct ImagenetteClass {
    std::string_view wnid;
    std::string_view name;
};

/// The ten classes of Imagenette, in label order.
inline constexpr std::array<ImagenetteClass, 10> imagenetteClasses{{{"n01440764", "tench"},
                                                                    {"n02102040", "English springer"},
                                                                    {"n02979186", "cassette player"},
                                                                    {"n03000684", "chain saw"},
                                                                    {"n03028079", "church"},
                                                                    {"n03394916", "French horn"},
                                                                    {"n03417042", "garbage truck"},
                                                                    {"n03425413", "gas pump"},
                                                                    {"n03445777", "golf ball"},
                                                                    {"n03888257", "parachute"}}};

/// True for "n" and eight digits, ImageNet's names of classes.
bool isWnid(std::string_view folder);

/// "tench" for "n01440764"; the folder's own name for every other.
std::string_view classNameOf(std::string_view folder);

} // namespace halfstep::data
