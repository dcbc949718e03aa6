#pragma once
#include "engine/report/drawing.h"
#include <string>
#include <vector>

namespace halfstep::report {

/// A page that grows from its top to its end. What is added as text is escaped here.
class HtmlPage {
public:
    explicit HtmlPage(const std::string& title);

    void heading(int level, const std::string& text, const std::string& id = {});
    void paragraph(const std::string& text);
    void list(const std::vector<std::string>& items);
    void table(const Table& table);
    void command(const std::string& line);
    void drawings(const std::vector<Drawing>& drawings);
    /// Links to headings of this page by their id.
    void contents(const std::vector<std::pair<std::string, std::string>>& idsAndTitles);

    /// The whole page.
    std::string take();

private:
    std::string m_text;
};

} // namespace halfstep::report
