#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

/// What the run store needs of SQLite's C interface, with lifetimes and errors as C++ has them. Inside the store
/// only.
namespace halfstep::store {

/// One open file. Every failure is a StoreError that names the file and says what to do.
class Connection {
public:
    /// Opens or makes the file; a lock held by another process is waited for up to 5 s.
    explicit Connection(const std::filesystem::path& file);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Runs statements that give no rows.
    void execute(const char* sql);
    /// The single number that a query gives.
    std::int64_t number(const char* sql);
    std::int64_t lastInsertedId() const;
    const std::filesystem::path& file() const { return m_file; }
    sqlite3* handle() const { return m_handle; }

    /// Throws StoreError for SQLite's `code` and its current message.
    [[noreturn]] void fail(int code) const;

private:
    std::filesystem::path m_file;
    sqlite3* m_handle = nullptr;
};

/// A prepared statement. Parameters count from 1, columns from 0.
///
/// SQLite turns a NaN into NULL, so a double that is not finite is kept as its text ("nan", "inf", "-inf").
class Statement {
public:
    Statement(Connection& connection, std::string_view sql);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(int parameter, std::int64_t value);
    Statement& bind(int parameter, int value) { return bind(parameter, std::int64_t{value}); }
    Statement& bind(int parameter, double value);
    Statement& bind(int parameter, const std::optional<double>& value);
    Statement& bind(int parameter, std::string_view value);

    /// True while there is a row to read; resets itself after the last.
    bool next();
    /// For statements without rows: runs to the end and is ready for the next binding.
    void run();
    /// Ends reading early.
    void reset();

    std::int64_t integer(int column) const;
    double real(int column) const;
    std::optional<double> optionalReal(int column) const;
    std::string text(int column) const;
    bool isNull(int column) const;

private:
    void check(int code) const;

    Connection& m_connection;
    sqlite3_stmt* m_statement = nullptr;
};

/// Begins at once as a writer, so that what is read inside is not changed by others before the commit. Rolled back
/// unless committed.
class Transaction {
public:
    explicit Transaction(Connection& connection);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    Connection& m_connection;
    bool m_open = true;
};

} // namespace halfstep::store
