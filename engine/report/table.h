#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace halfstep::report {

enum class Align { Left, Right };

struct Column {
    std::string title{};
    Align align = Align::Right;
};

/// A table for people, in any format. Its texts may hold anything (names come from files and from persons): each
/// writer makes them harmless.
struct Table {
    std::string title{};
    std::vector<Column> columns{};
    std::vector<std::vector<std::string>> rows{}; ///< each as long as `columns`
    std::vector<std::string> notes{};             ///< sentences under the table
};

/// False for a table of facts, whose columns need no titles: its writers leave them out where the format allows it.
bool hasTitles(const Table& table);

/// A GitHub-flavoured Markdown table under a heading of `level`, with the notes as paragraphs.
std::string markdownText(const Table& table, int level = 3);

/// A plain `tabular` under its title, in UTF-8, that needs no package: to be put into a document with \input. Names
/// in other alphabets than Latin need an engine and a font that have them.
std::string latexText(const Table& table);

/// A <table> with its title as <caption>, the notes as <p class="note"> after it.
std::string htmlText(const Table& table);

/// `text` as it can stand in the format: what means something there is escaped, line ends and other control
/// characters are spaces, bytes that are not UTF-8 are U+FFFD.
std::string escapedMarkdown(std::string_view text);
std::string escapedLatex(std::string_view text);
std::string escapedHtml(std::string_view text); ///< also within an attribute's quotation marks

} // namespace halfstep::report
