#include "engine/report/html_page.h"
#include <fmt/format.h>

namespace halfstep::report {
namespace {

/// The policy forbids every request, whatever a name might smuggle in. Colours are of the window's light theme.
constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Halfstep">
<title>{}</title>
<style>
body {{ font-family: "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; font-size: 14px; line-height: 1.5;
  color: #1b1f24; background: #ffffff; max-width: 1280px; margin: 32px auto; padding: 0 24px; }}
h1 {{ font-size: 24px; margin: 0 0 8px; }}
h2 {{ font-size: 20px; margin: 48px 0 8px; padding-top: 16px; border-top: 1px solid #d0d5db; }}
h3 {{ font-size: 16px; margin: 32px 0 8px; }}
p, ul {{ margin: 8px 0; max-width: 880px; }}
ul {{ padding-left: 24px; }}
.note {{ color: #57606a; font-size: 13px; }}
.table {{ overflow-x: auto; margin: 16px 0 8px; }}
table {{ border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; font-weight: 600; padding: 0 0 8px; }}
th, td {{ padding: 4px 16px 4px 0; text-align: left; vertical-align: top; border-bottom: 1px solid #e4e8ec; }}
th {{ color: #57606a; font-weight: 600; border-bottom: 1px solid #8c959f; }}
th.number, td.number {{ text-align: right; white-space: nowrap; }}
.wide table {{ font-size: 11px; }}
.wide th, .wide td {{ padding-right: 12px; white-space: nowrap; }}
.facts {{ display: inline-block; vertical-align: top; margin-right: 64px; }}
.facts td:first-child {{ color: #57606a; white-space: nowrap; }}
.facts td {{ overflow-wrap: anywhere; }}
pre {{ background: #f3f5f7; border: 1px solid #d0d5db; border-radius: 4px; padding: 8px 16px; font-size: 13px;
  font-family: "DejaVu Sans Mono", Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }}
code {{ font-family: "DejaVu Sans Mono", Consolas, monospace; font-size: 93%; }}
.charts {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(440px, 1fr)); gap: 16px; margin: 16px 0; }}
figure {{ margin: 0; border: 1px solid #d0d5db; border-radius: 4px; overflow: hidden; break-inside: avoid; }}
figure svg {{ display: block; width: 100%; height: auto; }}
@media print {{
  body {{ margin: 0; padding: 0; max-width: none; font-size: 11px; }}
  .table {{ overflow: visible; }}
  .wide table {{ font-size: 8px; }}
  .charts {{ grid-template-columns: 1fr 1fr; }}
  h2, h3, caption {{ break-after: avoid; }}
  tr, pre {{ break-inside: avoid; }}
}}
</style>
</head>
<body>
)";

constexpr std::size_t kWideColumns = 10; ///< as many need small print

/// Escaped, with what stands between two grave accents as code.
std::string withCode(const std::string& text) {
    std::string html = escapedHtml(text);
    for (;;) {
        const std::size_t begin = html.find('`');
        const std::size_t end = begin == std::string::npos ? begin : html.find('`', begin + 1);
        if (end == std::string::npos) {
            return html;
        }
        html.replace(end, 1, "</code>");
        html.replace(begin, 1, "<code>");
    }
}

} // namespace

HtmlPage::HtmlPage(const std::string& title) : m_text(fmt::format(kHead, escapedHtml(title))) {}

void HtmlPage::heading(int level, const std::string& text, const std::string& id) {
    const std::string attribute = id.empty() ? "" : fmt::format(" id=\"{}\"", escapedHtml(id));
    m_text += fmt::format("<h{0}{1}>{2}</h{0}>\n", level, attribute, escapedHtml(text));
}

void HtmlPage::paragraph(const std::string& text) {
    m_text += fmt::format("<p>{}</p>\n", withCode(text));
}

void HtmlPage::list(const std::vector<std::string>& items) {
    if (items.empty()) {
        return;
    }
    m_text += "<ul>\n";
    for (const std::string& item : items) {
        m_text += fmt::format("<li>{}</li>\n", withCode(item));
    }
    m_text += "</ul>\n";
}

void HtmlPage::table(const Table& table) {
    const char* kind = !hasTitles(table) ? "facts" : table.columns.size() >= kWideColumns ? "wide" : "plain";
    m_text += fmt::format("<div class=\"{}\">\n{}</div>\n", kind, htmlText(table));
}

void HtmlPage::command(const std::string& line) {
    m_text += fmt::format("<pre><code>{}</code></pre>\n", escapedHtml(line));
}

void HtmlPage::drawings(const std::vector<Drawing>& drawings) {
    if (drawings.empty()) {
        return;
    }
    m_text += "<div class=\"charts\">\n";
    for (const Drawing& drawing : drawings) {
        m_text += fmt::format("<figure role=\"img\" aria-label=\"{}\">\n{}\n</figure>\n", escapedHtml(drawing.title),
                              drawing.svg);
    }
    m_text += "</div>\n";
}

void HtmlPage::contents(const std::vector<std::pair<std::string, std::string>>& idsAndTitles) {
    m_text += "<ul>\n";
    for (const auto& [id, title] : idsAndTitles) {
        m_text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escapedHtml(id), escapedHtml(title));
    }
    m_text += "</ul>\n";
}

std::string HtmlPage::take() {
    m_text += "</body>\n</html>\n";
    return std::move(m_text);
}

} // namespace halfstep::report
