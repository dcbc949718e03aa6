#include "app/cli/history_id.h"
#include "app/cli/arguments.h"
#include <optional>

namespace halfstep::app {
namespace {

std::optional<std::int64_t> numberIn(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && number > 0 ? std::optional(number) : std::nullopt;
}

} // namespace

HistoryId historyIdFrom(const std::string& flag, std::string_view text) {
    const bool sweep = text.starts_with('s');
    if (const auto number = numberIn(sweep ? text.substr(1) : text)) {
        return {sweep ? HistoryId::Kind::Sweep : HistoryId::Kind::Run, *number};
    }
    refuseArgument(flag, text, "the number of a run, such as 3, or s and the number of a sweep, such as s3");
}

std::int64_t sweepIdFrom(const std::string& flag, std::string_view text) {
    if (const auto number = numberIn(text.starts_with('s') ? text.substr(1) : text)) {
        return *number;
    }
    refuseArgument(flag, text, "the number of a sweep, such as 3 or s3");
}

} // namespace halfstep::app
