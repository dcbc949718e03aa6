#include "engine/report/plain_text.h"
#include "engine/report/table.h"
#include <algorithm>
#include <array>
#include <utility>

namespace halfstep::report {
namespace {

/// What means something to LaTeX, or would be taken together with what stands beside it: a row that begins with "["
/// or "*" would be an argument of the line end before it, two hyphens would be a dash.
constexpr std::array<std::pair<std::string_view, std::string_view>, 25> kEscapes{{
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"%", "\\%"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"\"", "''"},
    {"[", "{[}"},
    {"]", "{]}"},
    {"*", "{*}"},
    {"`", "{}`{}"},
    {"'", "'{}"},
    {"-", "-{}"},
    {"–", "--"},
    {"…", "\\ldots{}"},
    {"×", "\\ensuremath{\\times}"},
    {"\u00B1", "\\ensuremath{\\pm}"},
    {"\uFFFD", "?"}, // stands for bytes that are no text, and no font of LaTeX has it
}};

/// A hyphen alone needs no braces.
std::string withPlainHyphens(std::string text) {
    for (std::size_t at = text.find("-{}"); at != std::string::npos; at = text.find("-{}", at + 1)) {
        if (at + 3 >= text.size() || text[at + 3] != '-') {
            text.erase(at + 1, 2);
        }
    }
    return text;
}

std::string rowText(const std::vector<std::string>& cells) {
    std::string row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        row += (i == 0 ? "" : " & ") + escapedLatex(cells[i]);
    }
    return row + " \\\\\n";
}

} // namespace

std::string escapedLatex(std::string_view text) {
    const std::string line = plainLine(text);
    std::string escaped;
    for (std::size_t i = 0; i < line.size();) {
        const std::string_view rest = std::string_view(line).substr(i);
        const auto* const found =
            std::ranges::find_if(kEscapes, [&](const auto& escape) { return rest.starts_with(escape.first); });
        if (found == kEscapes.end()) {
            escaped += line[i++];
        } else {
            escaped += found->second;
            i += found->first.size();
        }
    }
    return withPlainHyphens(escaped);
}

std::string latexText(const Table& table) {
    std::string text;
    if (!table.title.empty()) {
        text += "\\par\\noindent\\textbf{" + escapedLatex(table.title) + "}\\par\\smallskip\n";
    }
    text += "\\noindent\n\\begin{tabular}{";
    std::vector<std::string> titles;
    for (const Column& column : table.columns) {
        text += column.align == Align::Left ? 'l' : 'r';
        titles.push_back(column.title);
    }
    text += "}\n\\hline\n" + (hasTitles(table) ? rowText(titles) + "\\hline\n" : std::string());
    for (const std::vector<std::string>& row : table.rows) {
        text += rowText(row);
    }
    text += "\\hline\n\\end{tabular}\n";
    for (const std::string& note : table.notes) {
        text += "\\par\\noindent{\\footnotesize " + escapedLatex(note) + "\\par}\n";
    }
    return text + "\\medskip\n";
}

} // namespace halfstep::report
