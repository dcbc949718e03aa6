#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace halfstep::data {

/// A file name as text that every reader takes: valid UTF-8 as it is, any other byte as "\xe4".
std::string readableText(std::string_view bytes);

/// "1 picture", "13,394 pictures".
std::string counted(std::int64_t count, std::string_view one, std::string_view many);

/// "2.6 GB", "310 MB": for messages about disk space.
std::string bytesText(std::int64_t bytes);

} // namespace halfstep::data
