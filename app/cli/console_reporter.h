#pragma once
#include "app/cli/epoch_progress.h"
#include "engine/values/run_event.h"
#include <functional>
#include <optional>
#include <ostream>
#include <string>

namespace halfstep::app {

/// Tells a person at a console how a run goes on, as Keras does. On a terminal the line of the current epoch is
/// rewritten in place, at most ten times a second; elsewhere (a file, a pipe) only whole lines are written.
class ConsoleReporter {
public:
    struct Options {
        bool terminal = false;
        std::size_t columns = 80;      ///< of the terminal
        std::function<double()> now{}; ///< seconds of a steady clock
    };
    /// As standard error is connected right now.
    static Options optionsOfStandardError();

    /// `out` outlives the reporter.
    ConsoleReporter(std::ostream& out, Options options) : m_out(out), m_options(std::move(options)) {}

    ~ConsoleReporter() { end(); }
    ConsoleReporter(const ConsoleReporter&) = delete;
    ConsoleReporter& operator=(const ConsoleReporter&) = delete;

    void take(const values::RunEvent& event);
    /// Ends a line that is still being rewritten.
    void end();

private:
    void show(const values::DataProgress& progress);
    void show(const values::RunPlan& plan);
    void show(const values::StepRecord& step);
    void show(const values::ValidationProgress& progress);
    void show(const values::EpochRecord& epoch);
    void show(const values::Notice& notice);
    void show(const values::NumericsRecord& /*record*/) {} // for the history and the window

    /// Puts `text` in place of the line that is being rewritten; `atEnd` is what stays of it if nothing follows.
    void rewrite(const std::string& text, std::string atEnd);
    void writeLine(const std::string& text);

    std::ostream& m_out;
    Options m_options;
    std::optional<EpochProgress> m_epoch;
    std::string m_openLine; ///< what is being rewritten; empty if nothing is
    std::string m_atEnd;    ///< what to leave in its place
    double m_rewrittenAt = 0;
    std::string m_activity;
    std::int64_t m_quartersTold = 0; ///< of an activity, where lines cannot be rewritten
};

} // namespace halfstep::app
