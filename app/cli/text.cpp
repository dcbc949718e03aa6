#include "app/cli/text.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::app {
namespace {
bool continuesCharacter(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
}
} // namespace

std::string durationText(std::int64_t seconds) {
    if (seconds < 60) {
        return fmt::format("{}s", seconds);
    }
    if (seconds < 3600) {
        return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
    }
    return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::size_t columnsOf(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !continuesCharacter(c); }));
}

std::string alignedTable(const std::vector<std::vector<std::string>>& rows, std::size_t leadingTexts,
                         std::size_t trailingTexts) {
    const std::size_t columns = rows.front().size();
    std::vector<std::size_t> widths(columns);
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < columns; ++i) {
            widths[i] = std::max(widths[i], columnsOf(row[i]));
        }
    }
    const auto isText = [&](std::size_t column) {
        return column < leadingTexts || column + trailingTexts >= columns;
    };
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < columns; ++i) {
            const std::string room(widths[i] - columnsOf(row[i]), ' ');
            line += (i > 0 ? "  " : "") + (isText(i) ? row[i] + room : room + row[i]);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

std::string shortened(std::string_view text, std::size_t columns) {
    if (columnsOf(text) <= columns) {
        return std::string(text);
    }
    std::size_t end = 0;
    for (std::size_t seen = 0; end < text.size(); ++end) {
        if (!continuesCharacter(text[end]) && ++seen == columns) {
            break;
        }
    }
    return std::string(text.substr(0, end)) + "…";
}

} // namespace halfstep::app
