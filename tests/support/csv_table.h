#pragma once
#include <string>
#include <vector>

namespace halfstep::support {

/// A CSV file with a header line; fields in quotes may hold commas.
class CsvTable {
public:
    /// Of the folder tests/golden or tests/regression/tables: "regression/tables/batch_norm.csv". Throws
    /// std::runtime_error naming the file if it cannot be read, is empty, or a row has too many or too few fields.
    explicit CsvTable(const std::string& pathInTests);

    std::size_t rows() const { return m_rows.size(); }
    /// Throws std::out_of_range naming the column if there is none of this name.
    const std::string& text(std::size_t row, const std::string& column) const;
    /// "inf", "-inf" and "nan" too. Throws std::invalid_argument if the field is no number.
    double number(std::size_t row, const std::string& column) const;

private:
    std::vector<std::string> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace halfstep::support
