#include "engine/store/sweep_store.h"
#include "engine/store/process_identity.h"
#include "engine/store/schema.h"
#include "engine/store/utc_time.h"
#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include "engine/values/sweep_json.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace halfstep::store {
namespace {
using Json = nlohmann::ordered_json;
using values::RunStatus;

template <typename Value>
std::string textOf(const Value& value) {
    return values::jsonText(values::toJson(value), -1);
}

constexpr std::string_view kSelect = "SELECT id, status, owner, config, environment, governor, data_name,"
                                     " data_cache_bytes, started_at, ended_at, message FROM sweeps";

} // namespace

struct SweepStore::Database {
    explicit Database(const std::filesystem::path& file) : connection(file) { prepareSchema(connection); }

    values::Sweep from(const Statement& row) {
        values::Sweep sweep;
        sweep.id = row.integer(0);
        sweep.status = values::runStatusNamed(row.text(1)).value_or(RunStatus::Failed);
        if (sweep.status == RunStatus::Running && !isAlive(row.text(2))) {
            sweep.status = RunStatus::Interrupted;
        }
        sweep.governor = row.text(5);
        sweep.dataName = row.text(6);
        sweep.dataCacheBytes = static_cast<std::uint64_t>(row.integer(7));
        sweep.startedAt = row.text(8);
        sweep.endedAt = row.text(9);
        sweep.message = row.text(10);
        try { // one row that cannot be read must not hide the others
            sweep.config = values::sweepConfigFrom(Json::parse(row.text(3), nullptr, false));
            sweep.environment = values::environmentFrom(Json::parse(row.text(4), nullptr, false));
            readCells(sweep);
        } catch (const ConfigError& error) {
            sweep.message = fmt::format("The settings of this sweep cannot be read: {}", error.what());
        }
        return sweep;
    }

    void readCells(values::Sweep& sweep) {
        Statement cells(connection, "SELECT record FROM sweep_cells WHERE sweep = ? ORDER BY cell");
        cells.bind(1, sweep.id);
        while (cells.next()) {
            sweep.cells.push_back(values::sweepCellFrom(Json::parse(cells.text(0), nullptr, false)));
        }
        Statement rounds(connection, "SELECT cell, record FROM sweep_rounds WHERE sweep = ? ORDER BY cell, round");
        rounds.bind(1, sweep.id);
        while (rounds.next()) {
            const auto cell = static_cast<std::size_t>(rounds.integer(0));
            if (cell < sweep.cells.size()) {
                sweep.cells[cell].rounds.push_back(
                    values::cellRoundFrom(Json::parse(rounds.text(1), nullptr, false)));
            }
        }
    }

    /// Throws StoreError, saying that it cannot be `done`, unless there is such a sweep and it has ended.
    values::Sweep requireEnded(std::int64_t id, const char* done) {
        Statement select(connection, std::string(kSelect) + " WHERE id = ?");
        select.bind(1, id);
        if (!select.next()) {
            throw StoreError(
                fmt::format("There is no sweep {} in the history; `halfstep runs list` shows what there is.", id));
        }
        values::Sweep sweep = from(select);
        if (sweep.status == RunStatus::Running) {
            throw StoreError(fmt::format("Sweep {} is still running and cannot be {}; stop it first.", id, done));
        }
        return sweep;
    }

    Connection connection;
};

SweepStore::SweepStore(const std::filesystem::path& file) : m_database(std::make_unique<Database>(file)) {}
SweepStore::~SweepStore() = default;
SweepStore::SweepStore(SweepStore&&) noexcept = default;
SweepStore& SweepStore::operator=(SweepStore&&) noexcept = default;

std::int64_t SweepStore::begin(const values::Sweep& sweep) {
    Transaction transaction(m_database->connection);
    Statement insert(m_database->connection,
                     "INSERT INTO sweeps(status, owner, config, environment, governor, data_name, data_cache_bytes,"
                     " started_at) VALUES('running', ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, ownIdentity())
        .bind(2, textOf(sweep.config))
        .bind(3, textOf(sweep.environment))
        .bind(4, sweep.governor)
        .bind(5, sweep.dataName)
        .bind(6, static_cast<std::int64_t>(sweep.dataCacheBytes))
        .bind(7, sweep.startedAt);
    insert.run();
    const std::int64_t id = m_database->connection.lastInsertedId();
    for (std::size_t cell = 0; cell < sweep.cells.size(); ++cell) {
        setCell(id, cell, sweep.cells[cell]);
    }
    transaction.commit();
    return id;
}

void SweepStore::reopen(std::int64_t sweep, const values::SweepConfig& config) {
    Transaction transaction(m_database->connection);
    m_database->requireEnded(sweep, "gone on with");
    Statement(m_database->connection,
              "UPDATE sweeps SET status = 'running', owner = ?2, config = ?3, ended_at = '', message = ''"
              " WHERE id = ?1")
        .bind(1, sweep)
        .bind(2, ownIdentity())
        .bind(3, textOf(config))
        .run();
    transaction.commit();
}

void SweepStore::setCell(std::int64_t sweep, std::size_t cell, const values::SweepCell& state) {
    Statement(m_database->connection, "INSERT OR REPLACE INTO sweep_cells VALUES(?, ?, ?)")
        .bind(1, sweep)
        .bind(2, static_cast<std::int64_t>(cell))
        .bind(3, textOf(state))
        .run();
}

void SweepStore::addRound(std::int64_t sweep, std::size_t cell, const values::CellRound& round) {
    Statement(m_database->connection, "INSERT OR REPLACE INTO sweep_rounds VALUES(?, ?, ?, ?)")
        .bind(1, sweep)
        .bind(2, static_cast<std::int64_t>(cell))
        .bind(3, round.round)
        .bind(4, textOf(round))
        .run();
}

void SweepStore::forgetRounds(std::int64_t sweep, std::size_t cell) {
    Statement(m_database->connection, "DELETE FROM sweep_rounds WHERE sweep = ? AND cell = ?")
        .bind(1, sweep)
        .bind(2, static_cast<std::int64_t>(cell))
        .run();
}

void SweepStore::finish(std::int64_t sweep, RunStatus status, const std::string& message) {
    Statement(m_database->connection, "UPDATE sweeps SET status = ?2, ended_at = ?3, message = ?4 WHERE id = ?1")
        .bind(1, sweep)
        .bind(2, values::nameOf(status))
        .bind(3, utcNow())
        .bind(4, message)
        .run();
}

std::vector<values::Sweep> SweepStore::sweeps() const {
    Statement select(m_database->connection, std::string(kSelect) + " ORDER BY id DESC");
    std::vector<values::Sweep> found;
    while (select.next()) {
        found.push_back(m_database->from(select));
    }
    return found;
}

std::optional<values::Sweep> SweepStore::sweep(std::int64_t id) const {
    Statement select(m_database->connection, std::string(kSelect) + " WHERE id = ?");
    select.bind(1, id);
    return select.next() ? std::optional(m_database->from(select)) : std::nullopt;
}

bool SweepStore::remove(std::int64_t id) {
    Transaction transaction(m_database->connection);
    if (!sweep(id)) {
        return false;
    }
    m_database->requireEnded(id, "deleted");
    for (const char* sql : {"DELETE FROM sweep_rounds WHERE sweep = ?", "DELETE FROM sweep_cells WHERE sweep = ?",
                            "DELETE FROM sweeps WHERE id = ?"}) {
        Statement(m_database->connection, sql).bind(1, id).run();
    }
    transaction.commit();
    return true;
}

} // namespace halfstep::store
