#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace halfstep::app {

/// What a person calls a run or a sweep of the history: "3" is run 3, "s3" is sweep 3.
struct HistoryId {
    enum class Kind { Run, Sweep };
    Kind kind = Kind::Run;
    std::int64_t number = 0;
    bool operator==(const HistoryId&) const = default;
};

/// Throws ConfigError that says what an id looks like.
HistoryId historyIdFrom(const std::string& flag, std::string_view text);
/// Where only a sweep can be meant: "3" and "s3" are sweep 3. Throws likewise.
std::int64_t sweepIdFrom(const std::string& flag, std::string_view text);

} // namespace halfstep::app
