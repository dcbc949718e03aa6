#include "app/cli/console_reporter.h"
#include "app/cli/text.h"
#include <chrono>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace halfstep::app {
namespace {
constexpr double kSecondsBetweenRewrites = 0.1;
constexpr const char* kClearLine = "\r\x1b[K";
} // namespace

ConsoleReporter::Options ConsoleReporter::optionsOfStandardError() {
    Options options;
    options.terminal = isatty(STDERR_FILENO) == 1;
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        options.columns = size.ws_col;
    }
    options.now = [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
    return options;
}

void ConsoleReporter::take(const values::RunEvent& event) {
    std::visit([this](const auto& kind) { show(kind); }, event);
}

void ConsoleReporter::end() {
    if (m_openLine.empty()) {
        return;
    }
    m_out << (m_options.terminal ? kClearLine : "") << m_atEnd << '\n' << std::flush;
    m_openLine.clear();
}

void ConsoleReporter::show(const values::DataProgress& progress) {
    if (progress.activity != m_activity) {
        if (m_options.terminal) {
            end();
        }
        m_activity = progress.activity;
        m_quartersTold = -1;
    }
    const std::string text = progress.total > 0 ? fmt::format("{}: {}/{} ({} %)", progress.activity, progress.done,
                                                              progress.total, 100 * progress.done / progress.total)
                                                : progress.activity + " ...";
    if (m_options.terminal) {
        rewrite(text, text);
        if (progress.total > 0 && progress.done >= progress.total) {
            end();
        }
        return;
    }
    const std::int64_t quarter = progress.total > 0 ? 4 * progress.done / progress.total : 0;
    if (quarter > m_quartersTold) {
        m_quartersTold = quarter;
        writeLine(text);
    }
}

void ConsoleReporter::show(const values::RunPlan& plan) {
    m_epoch.emplace(plan);
    writeLine(fmt::format("Run {} on {}: {} step{} in {} epoch{}.", plan.run, plan.deviceText, plan.totalSteps,
                          plan.totalSteps == 1 ? "" : "s", plan.epochs, plan.epochs == 1 ? "" : "s"));
}

void ConsoleReporter::show(const values::StepRecord& step) {
    if (m_epoch) {
        if (m_epoch->take(step, m_options.now())) {
            writeLine(m_epoch->title());
        }
        rewrite(m_epoch->bar(m_options.columns - 1), m_epoch->cutOff());
    }
}

void ConsoleReporter::show(const values::ValidationProgress& progress) {
    if (m_epoch) {
        m_epoch->take(progress, m_options.now());
        rewrite(m_epoch->bar(m_options.columns - 1), m_epoch->cutOff());
    }
}

void ConsoleReporter::show(const values::EpochRecord& epoch) {
    if (m_epoch) {
        m_epoch->take(epoch);
        m_out << (m_options.terminal ? kClearLine : "") << m_epoch->result(epoch) << '\n' << std::flush;
        m_openLine.clear();
    }
}

void ConsoleReporter::show(const values::Notice& notice) {
    const std::string text = (notice.severity == values::Severity::Warning ? "Warning: " : "") + notice.text;
    if (!m_options.terminal || m_openLine.empty()) {
        m_out << text << '\n' << std::flush;
        return;
    }
    m_out << kClearLine << text << '\n' << m_openLine << std::flush;
}

void ConsoleReporter::rewrite(const std::string& text, std::string atEnd) {
    const double now = m_options.now();
    const bool due = m_openLine.empty() || now - m_rewrittenAt >= kSecondsBetweenRewrites;
    m_openLine = m_options.terminal ? shortened(text, m_options.columns - 1) : text;
    m_atEnd = std::move(atEnd);
    if (m_options.terminal && due) {
        m_out << kClearLine << m_openLine << std::flush;
        m_rewrittenAt = now;
    }
}

void ConsoleReporter::writeLine(const std::string& text) {
    end();
    m_out << text << '\n' << std::flush;
}

} // namespace halfstep::app
