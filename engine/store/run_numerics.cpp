// The part of RunStore that keeps what the tensors of recorded steps held.
#include "engine/store/run_database.h"
#include "engine/values/json.h"
#include <nlohmann/json.hpp>

namespace halfstep::store {

void RunStore::Database::insertNumerics(std::int64_t run, const values::NumericsRecord& record) {
    Statement insert(connection, "INSERT INTO numerics VALUES(?, ?, ?)");
    insert.bind(1, run).bind(2, record.step).bind(3, values::jsonText(values::toJson(record), -1)).run();
}

std::vector<std::int64_t> RunStore::numericsSteps(std::int64_t run) const {
    Statement select(m_database->connection, "SELECT step FROM numerics WHERE run = ? ORDER BY step");
    select.bind(1, run);
    std::vector<std::int64_t> steps;
    while (select.next()) {
        steps.push_back(select.integer(0));
    }
    return steps;
}

std::optional<values::NumericsRecord> RunStore::numerics(std::int64_t run, std::int64_t step) const {
    Statement select(m_database->connection, "SELECT record FROM numerics WHERE run = ? AND step = ?");
    select.bind(1, run).bind(2, step);
    if (!select.next()) {
        return std::nullopt;
    }
    return values::numericsFrom(nlohmann::ordered_json::parse(select.text(0), nullptr, false));
}

} // namespace halfstep::store
