#pragma once
#include "engine/report/table.h"
#include "engine/values/environment.h"
#include <string>
#include <utility>

namespace halfstep::report {

/// A table of two columns without titles: a row a fact, its name and its value. Facts that are empty are left out.
class Facts {
public:
    explicit Facts(std::string title);

    void add(std::string name, std::string value);
    /// Machine and programs, but not the algorithms of the layers.
    void add(const values::Environment& environment);

    Table take() { return std::move(m_table); }

private:
    Table m_table{};
};

} // namespace halfstep::report
