#include "engine/store/sqlite.h"
#include "engine/tensor/error.h"
#include "engine/values/number_text.h"
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <sqlite3.h>

namespace halfstep::store {
namespace {

std::string adviceFor(int code) {
    switch (code & 0xFF) {
    case SQLITE_FULL:
        return "the disk is full; free some space and try again";
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return "it may not be written; make it and its folder writable or choose another file";
    case SQLITE_CANTOPEN:
        return "it cannot be opened or made; check that the path names a file in a folder that you may write to";
    case SQLITE_CORRUPT:
        return "it is damaged; move it away and a new one is begun";
    case SQLITE_NOTADB:
        return "it is not a run history; choose another file or move it away";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another program has kept it locked for more than 5 s; close that program and try again";
    case SQLITE_IOERR:
        return "the disk could not be read or written; check it and the space left on it";
    default:
        return {};
    }
}

} // namespace

Connection::Connection(const std::filesystem::path& file) : m_file(file) {
    if (file.has_parent_path()) {
        std::error_code error; // a folder that cannot be made shows as a file that cannot be opened
        std::filesystem::create_directories(file.parent_path(), error);
    }
    const int code = sqlite3_open_v2(file.c_str(), &m_handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    if (code != SQLITE_OK) {
        try {
            fail(code);
        } catch (const StoreError&) {
            sqlite3_close(m_handle); // the destructor does not run for an object that was never made
            throw;
        }
    }
    sqlite3_busy_timeout(m_handle, 5000);
}

Connection::~Connection() {
    sqlite3_close(m_handle);
}

void Connection::fail(int code) const {
    const std::string advice = adviceFor(code);
    const char* message = m_handle != nullptr ? sqlite3_errmsg(m_handle) : sqlite3_errstr(code);
    throw StoreError(fmt::format("The run history \"{}\" failed: {} ({}).", m_file.string(),
                                 advice.empty() ? "SQLite refused" : advice, message));
}

void Connection::execute(const char* sql) {
    const int code = sqlite3_exec(m_handle, sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) {
        fail(code);
    }
}

std::int64_t Connection::number(const char* sql) {
    Statement statement(*this, sql);
    return statement.next() ? statement.integer(0) : 0;
}

std::int64_t Connection::lastInsertedId() const {
    return sqlite3_last_insert_rowid(m_handle);
}

Statement::Statement(Connection& connection, std::string_view sql) : m_connection(connection) {
    check(sqlite3_prepare_v2(connection.handle(), sql.data(), static_cast<int>(sql.size()), &m_statement, nullptr));
}

Statement::~Statement() {
    sqlite3_finalize(m_statement);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) {
        m_connection.fail(code);
    }
}

Statement& Statement::bind(int parameter, std::int64_t value) {
    check(sqlite3_bind_int64(m_statement, parameter, value));
    return *this;
}

Statement& Statement::bind(int parameter, double value) {
    if (!std::isfinite(value)) {
        return bind(parameter, values::numberText(value));
    }
    check(sqlite3_bind_double(m_statement, parameter, value));
    return *this;
}

Statement& Statement::bind(int parameter, const std::optional<double>& value) {
    if (value) {
        return bind(parameter, *value);
    }
    check(sqlite3_bind_null(m_statement, parameter));
    return *this;
}

Statement& Statement::bind(int parameter, std::string_view value) {
    check(sqlite3_bind_text(m_statement, parameter, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT));
    return *this;
}

bool Statement::next() {
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_ROW) {
        return true;
    }
    sqlite3_reset(m_statement);
    if (code != SQLITE_DONE) {
        m_connection.fail(code);
    }
    return false;
}

void Statement::run() {
    while (next()) {
    }
}

void Statement::reset() {
    sqlite3_reset(m_statement);
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(m_statement, column);
}

double Statement::real(int column) const {
    if (sqlite3_column_type(m_statement, column) != SQLITE_TEXT) {
        return sqlite3_column_double(m_statement, column);
    }
    const std::string name = text(column);
    if (name == "inf" || name == "-inf") {
        return name == "inf" ? HUGE_VAL : -HUGE_VAL;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::optional<double> Statement::optionalReal(int column) const {
    return isNull(column) ? std::nullopt : std::optional(real(column));
}

std::string Statement::text(int column) const {
    const auto* characters = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    return characters == nullptr
               ? std::string{}
               : std::string(characters, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column)));
}

bool Statement::isNull(int column) const {
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}

Transaction::Transaction(Connection& connection) : m_connection(connection) {
    connection.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (m_open) {
        sqlite3_exec(m_connection.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

void Transaction::commit() {
    m_connection.execute("COMMIT");
    m_open = false;
}

} // namespace halfstep::store
