#include "engine/store/schema.h"
#include "engine/tensor/error.h"
#include <chrono>
#include <fmt/format.h>
#include <sqlite3.h>
#include <thread>

namespace halfstep::store {
namespace {

/// AUTOINCREMENT: an id is never used again, also after its run was deleted. Columns of numbers that may be NaN have
/// no type, since a REAL column would store -0.0 as the integer 0.
constexpr const char* kTables = R"(
CREATE TABLE runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  status TEXT NOT NULL,
  owner TEXT NOT NULL,
  config TEXT NOT NULL,
  environment TEXT NOT NULL,
  data_name TEXT NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT NOT NULL DEFAULT '',
  steps INTEGER NOT NULL DEFAULT 0,
  skipped_steps INTEGER NOT NULL DEFAULT 0,
  epochs INTEGER NOT NULL DEFAULT 0,
  median_step_ms,
  loss,
  accuracy,
  peak_bytes INTEGER NOT NULL DEFAULT 0,
  message TEXT NOT NULL DEFAULT '');
CREATE INDEX runs_by_status ON runs(status);
CREATE TABLE steps(
  run INTEGER NOT NULL,
  step INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  batch_size INTEGER NOT NULL,
  loss,
  accuracy,
  step_ms,
  data_wait_ms,
  loss_scale,
  skipped INTEGER NOT NULL,
  PRIMARY KEY(run, step)) WITHOUT ROWID;
CREATE TABLE epochs(
  run INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  loss,
  accuracy,
  val_loss,
  val_accuracy,
  seconds,
  PRIMARY KEY(run, epoch)) WITHOUT ROWID;
)";

/// From version 1 to 2: what a skipped step was skipped for, the share of lost updates, and the tensors' numbers (one
/// JSON document a recorded step).
constexpr const char* kVersion2 = R"(
ALTER TABLE steps ADD COLUMN first_non_finite TEXT NOT NULL DEFAULT '';
ALTER TABLE steps ADD COLUMN lost_updates;
CREATE TABLE numerics(
  run INTEGER NOT NULL,
  step INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY(run, step));
)";

/// From version 2 to 3: sweeps. What a cell and a round hold are JSON documents (values/sweep_json.h).
constexpr const char* kVersion3 = R"(
CREATE TABLE sweeps(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  status TEXT NOT NULL,
  owner TEXT NOT NULL,
  config TEXT NOT NULL,
  environment TEXT NOT NULL,
  governor TEXT NOT NULL,
  data_name TEXT NOT NULL,
  data_cache_bytes INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT NOT NULL DEFAULT '',
  message TEXT NOT NULL DEFAULT '');
CREATE TABLE sweep_cells(
  sweep INTEGER NOT NULL,
  cell INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY(sweep, cell)) WITHOUT ROWID;
CREATE TABLE sweep_rounds(
  sweep INTEGER NOT NULL,
  cell INTEGER NOT NULL,
  round INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY(sweep, cell, round)) WITHOUT ROWID;
)";

constexpr int kApplicationId = 0x4853'5450; // "HSTP": tells `file` and us whose database it is

/// True if the tables are there; false for an empty file.
bool isOurs(Connection& connection) {
    // One statement sees one state of the file: another process may be making the tables just now.
    Statement look(connection, "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master)"
                               " FROM pragma_user_version, pragma_application_id");
    look.next();
    const std::int64_t version = look.integer(0), application = look.integer(1);
    if (application == 0 && version == 0 && look.integer(2) == 0) {
        return false;
    }
    if (application != kApplicationId) {
        throw StoreError(
            fmt::format("\"{}\" is a database of another program, not a run history; choose another file.",
                        connection.file().string()));
    }
    if (version > kSchemaVersion) {
        throw StoreError(
            fmt::format("The run history \"{}\" was made by a newer Halfstep (its tables have version {}, "
                        "this program knows {}); use the newer program or another file.",
                        connection.file().string(), version, kSchemaVersion));
    }
    return true;
}

/// Two processes that open a new file at once: one of them is told "busy" without the busy timeout, since waiting
/// could be a deadlock. It is none here, so we ask again.
void setWalMode(Connection& connection) {
    for (int attempt = 0;; ++attempt) {
        const int code = sqlite3_exec(connection.handle(), "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
        if (code == SQLITE_OK) {
            return;
        }
        if ((code & 0xFF) != SQLITE_BUSY || attempt == 100) {
            connection.fail(code);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

} // namespace

void prepareSchema(Connection& connection) {
    const bool made = isOurs(connection);
    if (!made) {
        setWalMode(connection);
    }
    // NORMAL: a commit survives the death of the process at once, a power cut at the next checkpoint.
    connection.execute("PRAGMA synchronous=NORMAL");
    if (made && connection.number("PRAGMA user_version") == kSchemaVersion) {
        return;
    }
    Transaction transaction(connection);
    if (!isOurs(connection)) { // another process may have been faster
        connection.execute(kTables);
        connection.execute(fmt::format("PRAGMA application_id={}", kApplicationId).c_str());
    }
    const std::int64_t version = connection.number("PRAGMA user_version");
    if (version < 2) {
        connection.execute(kVersion2);
    }
    if (version < 3) {
        connection.execute(kVersion3);
    }
    if (version < kSchemaVersion) {
        connection.execute(fmt::format("PRAGMA user_version={}", kSchemaVersion).c_str());
    }
    transaction.commit();
}

} // namespace halfstep::store
