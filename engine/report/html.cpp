#include "engine/report/plain_text.h"
#include "engine/report/table.h"
#include <algorithm>

namespace halfstep::report {
namespace {

std::string cellText(const char* tag, const Column& column, const std::string& text) {
    const std::string_view attribute = column.align == Align::Right ? " class=\"number\"" : "";
    return std::string("<") + tag + std::string(attribute) + ">" + escapedHtml(text) + "</" + tag + ">";
}

} // namespace

std::string escapedHtml(std::string_view text) {
    std::string escaped;
    for (const char c : plainLine(text)) {
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

bool hasTitles(const Table& table) {
    return std::ranges::any_of(table.columns, [](const Column& column) { return !column.title.empty(); });
}

std::string htmlText(const Table& table) {
    std::string text = "<div class=\"table\"><table>\n";
    if (!table.title.empty()) {
        text += "<caption>" + escapedHtml(table.title) + "</caption>\n";
    }
    if (hasTitles(table)) {
        text += "<thead><tr>";
        for (const Column& column : table.columns) {
            text += cellText("th", column, column.title);
        }
        text += "</tr></thead>\n";
    }
    text += "<tbody>\n";
    for (const std::vector<std::string>& row : table.rows) {
        text += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += cellText("td", table.columns.at(i), row[i]);
        }
        text += "</tr>\n";
    }
    text += "</tbody>\n</table></div>\n";
    for (const std::string& note : table.notes) {
        text += "<p class=\"note\">" + escapedHtml(note) + "</p>\n";
    }
    return text;
}

} // namespace halfstep::report
