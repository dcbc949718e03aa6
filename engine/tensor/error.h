#pragma once
#include <stdexcept>
#include <string>

namespace halfstep {

/// A trouble that Halfstep explains to a person. The text is one sentence or two: the operation, what was got, what
/// was expected, what to do.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The user's mistake: a setting that cannot work. Said at the field before the run starts. Exit code 2.
class ConfigError : public Error {
public:
    ConfigError(std::string field, const std::string& sentence) : Error(sentence), m_field(std::move(field)) {}
    /// The setting's name as in ExperimentConfig's JSON ("batch_size").
    const std::string& field() const { return m_field; }

private:
    std::string m_field;
};

/// The data cannot be used (missing folder, broken archive, no pictures). Exit code 3.
class DataError : public Error {
public:
    using Error::Error;
};

/// The device or a library refused (cuDNN, oneDNN, driver). Exit code 1.
class BackendError : public Error {
public:
    using Error::Error;
};

/// Memory ran out, really or by --memory-limit. Exit code 4.
class OutOfMemoryError : public BackendError {
public:
    /// A whole sentence.
    explicit OutOfMemoryError(const std::string& sentence) : BackendError(sentence), m_reason(sentence) {}
    /// `reason`, which follows "Out of memory: ", says what was wanted and what is free, `advice` what to do.
    OutOfMemoryError(const std::string& reason, const std::string& advice)
        : BackendError("Out of memory: " + reason + ". " + advice),
          m_reason(reason) {}
    /// To be told together with where it happened; the sentence, where there is nothing else.
    const std::string& reason() const { return m_reason; }

private:
    std::string m_reason;
};

/// The run history could not be read or written. Exit code 1.
class StoreError : public Error {
public:
    using Error::Error;
};

/// The programmer's mistake: shapes or dtypes that do not fit. Tests catch it.
class ShapeError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// The user asked to stop while something was being prepared. Not a failure; exit code 130.
class Cancelled : public Error {
public:
    Cancelled() : Error("Stopped on request.") {}
};

} // namespace halfstep
