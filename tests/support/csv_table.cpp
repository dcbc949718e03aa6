#include "tests/support/csv_table.h"
#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace halfstep::support {
namespace {

std::vector<std::string> fieldsOf(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            fields.emplace_back();
        } else if (c != '\r') {
            fields.back() += c;
        }
    }
    return fields;
}

} // namespace

CsvTable::CsvTable(const std::string& pathInTests) {
    const std::string path = std::string(HALFSTEP_TESTS_FOLDER) + "/" + pathInTests;
    std::ifstream stream(path);
    std::string line;
    if (!std::getline(stream, line)) {
        throw std::runtime_error("Reading the table " + path + ": it is missing or empty.");
    }
    m_columns = fieldsOf(line);
    while (std::getline(stream, line)) {
        m_rows.push_back(fieldsOf(line));
        if (m_rows.back().size() != m_columns.size()) {
            throw std::runtime_error("Reading the table " + path + ": \"" + line + "\" has " +
                                     std::to_string(m_rows.back().size()) + " fields, the header has " +
                                     std::to_string(m_columns.size()) + ".");
        }
    }
    if (m_rows.empty()) {
        throw std::runtime_error("Reading the table " + path + ": it has a header only.");
    }
}

const std::string& CsvTable::text(std::size_t row, const std::string& column) const {
    const auto found = std::find(m_columns.begin(), m_columns.end(), column);
    if (found == m_columns.end()) {
        throw std::out_of_range("The table has no column \"" + column + "\".");
    }
    return m_rows.at(row)[static_cast<std::size_t>(found - m_columns.begin())];
}

double CsvTable::number(std::size_t row, const std::string& column) const {
    const std::string& field = text(row, column);
    std::size_t used = 0;
    const double value = std::stod(field, &used); // throws std::invalid_argument
    if (used != field.size()) {
        throw std::invalid_argument("\"" + field + "\" is no number.");
    }
    return value;
}

} // namespace halfstep::support
