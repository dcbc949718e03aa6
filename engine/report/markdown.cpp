#include "engine/report/plain_text.h"
#include "engine/report/table.h"
#include <algorithm>

namespace halfstep::report {
namespace {

bool isWord(char c) {
    const bool ascii = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return ascii || static_cast<unsigned char>(c) >= 0x80;
}

/// An underscore within a word ("mixed_float16") is one anyway: it stays readable in the file.
bool isWithinWord(const std::string& text, std::size_t at) {
    return at > 0 && at + 1 < text.size() && isWord(text[at - 1]) && isWord(text[at + 1]);
}

/// A paragraph must not become a list or a heading by its first characters.
std::string paragraph(const std::string& note) {
    const std::string escaped = escapedMarkdown(note);
    const std::size_t digits = std::min(escaped.find_first_not_of("0123456789"), escaped.size());
    const bool isNumbered =
        digits > 0 && digits < escaped.size() && (escaped[digits] == '.' || escaped[digits] == ')');
    const std::size_t at = isNumbered ? digits : 0;
    std::string text = escaped.substr(0, at);
    if (isNumbered || escaped.starts_with('-') || escaped.starts_with('+')) {
        text += '\\';
    }
    return text += escaped.substr(at);
}

std::string rowText(const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const std::string& cell : cells) {
        row += ' ' + escapedMarkdown(cell) + " |";
    }
    return row + '\n';
}

} // namespace

std::string escapedMarkdown(std::string_view text) {
    constexpr std::string_view kSpecial = R"(\`*{}[]<>#|~&!$)";
    const std::string line = plainLine(text);
    std::string escaped;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool special =
            line[i] == '_' ? !isWithinWord(line, i) : kSpecial.find(line[i]) != std::string_view::npos;
        escaped += special ? std::string{'\\', line[i]} : std::string{line[i]};
    }
    return escaped;
}

std::string markdownText(const Table& table, int level) {
    std::string text;
    if (!table.title.empty()) {
        text += std::string(static_cast<std::size_t>(level), '#') + ' ' + escapedMarkdown(table.title) + "\n\n";
    }
    std::vector<std::string> titles;
    std::string rule = "|";
    for (const Column& column : table.columns) {
        titles.push_back(column.title);
        rule += column.align == Align::Left ? " --- |" : " ---: |";
    }
    text += rowText(titles) + rule + '\n';
    for (const std::vector<std::string>& row : table.rows) {
        text += rowText(row);
    }
    for (const std::string& note : table.notes) {
        text += '\n' + paragraph(note) + '\n';
    }
    return text;
}

} // namespace halfstep::report
