#pragma once
#include <string_view>

namespace halfstep::data {

/// Files and folders that systems and tools leave behind and no person put there as data: hidden ones (.DS_Store,
/// ._x.jpg, .ipynb_checkpoints), Thumbs.db, desktop.ini, __MACOSX, @eaDir. Passed over without a word, everywhere.
bool isIgnoredName(std::string_view name);

/// True if the name ends like a picture's, in any case. Only for counting what lies in a wrong place: whether a file
/// is a picture, its content says.
bool looksLikePicture(std::string_view name);

} // namespace halfstep::data
