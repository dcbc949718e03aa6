#include "engine/report/table.h"
#include <gmock/gmock.h>

namespace halfstep::report {
namespace {
using testing::HasSubstr;
using testing::Not;

Table small(const std::string& name) {
    return {.title = "Times of " + name,
            .columns = {{"name", Align::Left}, {"ms"}},
            .rows = {{name, "12.5"}, {"plain", "7"}},
            .notes = {name}};
}

TEST(Table, MarkdownIsAGitHubTable) {
    EXPECT_EQ(markdownText(small("mixed_float16")), "### Times of mixed_float16\n"
                                                    "\n"
                                                    "| name | ms |\n"
                                                    "| --- | ---: |\n"
                                                    "| mixed_float16 | 12.5 |\n"
                                                    "| plain | 7 |\n"
                                                    "\n"
                                                    "mixed_float16\n");
}

TEST(Table, LatexIsAPlainTabular) {
    EXPECT_EQ(latexText(small("mixed_float16")), "\\par\\noindent\\textbf{Times of mixed\\_float16}\\par\\smallskip\n"
                                                 "\\noindent\n"
                                                 "\\begin{tabular}{lr}\n"
                                                 "\\hline\n"
                                                 "name & ms \\\\\n"
                                                 "\\hline\n"
                                                 "mixed\\_float16 & 12.5 \\\\\n"
                                                 "plain & 7 \\\\\n"
                                                 "\\hline\n"
                                                 "\\end{tabular}\n"
                                                 "\\par\\noindent{\\footnotesize mixed\\_float16\\par}\n"
                                                 "\\medskip\n");
}

TEST(Table, AnEmptyFirstCellKeepsItsColumn) {
    const Table table{.columns = {{"", Align::Left}, {""}}, .rows = {{"", "1"}}};
    EXPECT_THAT(latexText(table), HasSubstr("\n & 1 \\\\\n"));
    EXPECT_THAT(markdownText(table), HasSubstr("|  | 1 |\n"));
    EXPECT_THAT(htmlText(table), HasSubstr("<tr><td></td><td class=\"number\">1</td></tr>"));
}

TEST(Table, HtmlHasACaptionAndMarksNumbers) {
    const std::string html = htmlText(small("mixed_float16"));
    EXPECT_THAT(html, HasSubstr("<caption>Times of mixed_float16</caption>"));
    EXPECT_THAT(html, HasSubstr("<th>name</th><th class=\"number\">ms</th>"));
    EXPECT_THAT(html, HasSubstr("<tr><td>plain</td><td class=\"number\">7</td></tr>"));
}

TEST(Table, HostileNamesAreHarmlessInMarkdown) {
    EXPECT_EQ(escapedMarkdown("<script>"), "\\<script\\>");
    EXPECT_EQ(escapedMarkdown("a|b\\|c"), "a\\|b\\\\\\|c");
    EXPECT_EQ(escapedMarkdown("_x_ a_b"), "\\_x\\_ a_b");
    EXPECT_EQ(escapedMarkdown("two\nlines\r\n\tand"), "two lines   and");
    EXPECT_EQ(escapedMarkdown("[a](b) ![c] `d` *e* &lt; #f"), "\\[a\\](b) \\!\\[c\\] \\`d\\` \\*e\\* \\&lt; \\#f");
    EXPECT_THAT(markdownText(small("- a list")), HasSubstr("\n\n\\- a list\n"));
    EXPECT_THAT(markdownText(small("1. a list")), HasSubstr("\n\n1\\. a list\n"));
    EXPECT_THAT(markdownText(small("1.5 ms")), HasSubstr("\n\n1\\.5 ms\n"));
    EXPECT_THAT(markdownText(small("42")), HasSubstr("\n\n42\n"));
}

TEST(Table, HostileNamesAreHarmlessInLatex) {
    EXPECT_EQ(escapedLatex("a_b % c & d # e $ f"), "a\\_b \\% c \\& d \\# e \\$ f");
    EXPECT_EQ(escapedLatex("\\input{x}"), "\\textbackslash{}input\\{x\\}");
    EXPECT_EQ(escapedLatex("~^<|>"), "\\textasciitilde{}\\textasciicircum{}\\textless{}\\textbar{}\\textgreater{}");
    EXPECT_EQ(escapedLatex("[2mm]"), "{[}2mm{]}") << "after a line end it would be its argument";
    EXPECT_EQ(escapedLatex("bad\xff"), "bad?");
    EXPECT_EQ(escapedLatex("--batch-size a-"), "-{}-batch-size a-");
    EXPECT_EQ(escapedLatex("one\ntwo"), "one two");
    EXPECT_EQ(escapedLatex("41 – 42, 2×"), "41 -- 42, 2\\ensuremath{\\times}");
}

TEST(Table, HostileNamesAreHarmlessInHtml) {
    EXPECT_EQ(escapedHtml("<script>alert('x')</script>"), "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
    EXPECT_EQ(escapedHtml("\" onload=\"x\" & y"), "&quot; onload=&quot;x&quot; &amp; y");
    EXPECT_THAT(htmlText(small("<script>")), Not(HasSubstr("<script>")));
}

TEST(Table, NamesInAnyAlphabetStayAndBytesOfNoneAreMarked) {
    for (std::string (*const escaped)(std::string_view) : {&escapedMarkdown, &escapedLatex, &escapedHtml}) {
        EXPECT_EQ(escaped("Größe 测试 🙂"), "Größe 测试 🙂");
        EXPECT_EQ(escaped("bad \xFF byte"), escaped == &escapedLatex ? "bad ? byte" : "bad \xEF\xBF\xBD byte");
        EXPECT_EQ(escaped(std::string_view("nul\0del\x7F", 8)), "nul del ");
    }
}

} // namespace
} // namespace halfstep::report
