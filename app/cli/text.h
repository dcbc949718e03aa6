#pragma once
#include "engine/report/figure_text.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep::app {

using report::bytesText;
using report::fixedText;
using report::millisecondsText;
using report::percentText;

/// Whole seconds as a clock shows them: "45s", "2:05", "1:02:03".
std::string durationText(std::int64_t seconds);
/// Characters as a terminal shows them one column each: bytes that continue a UTF-8 character do not count.
std::size_t columnsOf(std::string_view text);
/// Rows of equally many cells as a table, two spaces between its columns: text to the left in the first
/// `leadingTexts` columns and the last `trailingTexts`, numbers to the right in the others.
std::string alignedTable(const std::vector<std::vector<std::string>>& rows, std::size_t leadingTexts = 2,
                         std::size_t trailingTexts = 2);
/// Cut after `columns` characters, with "…" in place of the last where something was cut.
std::string shortened(std::string_view text, std::size_t columns);

} // namespace halfstep::app
