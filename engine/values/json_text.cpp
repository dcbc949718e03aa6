#include "engine/values/json.h"
#include "engine/values/number_text.h"
#include <nlohmann/json.hpp>

namespace halfstep::values {
namespace {
using Json = nlohmann::ordered_json;

/// The library's own writer prints doubles by Grisu2, whose text is not always the shortest and so not always that of
/// the CSV; everything else is left to it.
class Writer {
public:
    explicit Writer(int indent) : m_indent(indent) {}

    std::string text(const Json& json) {
        write(json, 0);
        return std::move(m_text);
    }

private:
    void write(const Json& json, int level) {
        if (json.is_number_float()) {
            m_text += numberText(json.get<double>());
        } else if (json.is_structured() && !json.empty()) {
            m_text += json.is_object() ? '{' : '[';
            bool first = true;
            for (const auto& [key, value] : json.items()) {
                m_text += first ? "" : ",";
                first = false;
                newLine(level + 1);
                if (json.is_object()) {
                    m_text += plain(key) + (m_indent < 0 ? ":" : ": ");
                }
                write(value, level + 1);
            }
            newLine(level);
            m_text += json.is_object() ? '}' : ']';
        } else {
            m_text += plain(json);
        }
    }

    static std::string plain(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

    void newLine(int level) {
        if (m_indent >= 0) {
            m_text += '\n';
            m_text.append(static_cast<std::size_t>(m_indent * level), ' ');
        }
    }

    int m_indent;
    std::string m_text;
};

} // namespace

std::string jsonText(const Json& json, int indent) {
    return Writer(indent).text(json);
}

} // namespace halfstep::values
