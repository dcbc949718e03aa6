#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "engine/tensor/error.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <iostream>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace halfstep::app {
namespace {

constexpr const char* kDescription =
    "Halfstep repeats a mixed-precision training experiment on your own machine, and shows how the loss falls and "
    "how "
    "long a step takes in float32, mixed_float16 and mixed_bfloat16.\n\nWithout a command it opens the window.";

constexpr const char* kExamples = R"(Examples:
  halfstep train --epochs 2                      train on the built-in sample
  halfstep train --data photos.tgz --policy mixed_float16 --batch-size 32
  halfstep runs list                             what has been trained so far
  halfstep runs export 3 --csv steps.csv         the numbers behind run 3
  halfstep report s1 --output report.html        a sweep's tables and charts in one file
  halfstep profile --policy mixed_float16 --against float32   where a step's time goes, and why
  halfstep devices                               what this machine can train on

Results go to standard output, progress to standard error. Exit codes: 0 done, 1 failed, 2 wrong arguments,
3 the data cannot be used, 4 out of memory, 130 interrupted.)";

struct Place {
    const char* environment;
    const char* value;
    int arguments; ///< that it takes: "--history FILE" two, "--history=FILE" one
};

/// The place that the first of `count` arguments sets, if it sets one.
std::optional<Place> placeAt(int count, const char* const* arguments) {
    constexpr std::array kFlags{std::pair{"--cache-dir", "HALFSTEP_CACHE"},
                                std::pair{"--history", "HALFSTEP_HISTORY"}};
    const std::string_view first = arguments[0];
    for (const auto& [flag, environment] : kFlags) {
        const std::size_t length = std::string_view(flag).size();
        if (first == flag && count > 1) {
            return Place{environment, arguments[1], 2};
        }
        if (first.starts_with(flag) && first.size() > length && first[length] == '=') {
            return Place{environment, arguments[0] + length + 1, 1};
        }
    }
    return std::nullopt;
}

int tell(const std::string& sentence, int exitCode) {
    std::cerr << "halfstep: " << sentence << std::endl;
    return exitCode;
}

/// "halfstep runs", the command that was being read when an argument turned out to be wrong.
std::string commandName(const CLI::App& app) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    return app.get_name() + (chosen.empty() ? "" : " " + commandName(*chosen.front()));
}

/// The first argument on the line that no option or command took.
std::string firstUnexpected(const CLI::App& app, int argc, const char* const* argv) {
    const std::vector<std::string> rest = app.remaining(true);
    const auto* const found = std::find_if(
        argv + 1, argv + argc, [&](const char* argument) { return std::ranges::find(rest, argument) != rest.end(); });
    return found == argv + argc ? std::string{} : *found;
}

/// CLI11's error as a sentence of ours.
std::string sentenceFor(const CLI::ParseError& error, const CLI::App& app, int argc, const char* const* argv) {
    const std::string what = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        const std::string option = what.substr(0, what.find(':'));
        return option + (what.find("missing") != std::string::npos ? " needs a value" : " is given more than once");
    }
    if (const std::string unexpected = firstUnexpected(app, argc, argv); !unexpected.empty()) {
        return fmt::format("\"{}\" is not expected here", unexpected);
    }
    return what == "A subcommand is required" ? "A command is required" : what;
}

int tellWrongArguments(const CLI::App& app, std::string what) {
    while (what.ends_with('.') || what.ends_with('\n')) {
        what.pop_back();
    }
    return tell(fmt::format("{}. `{} --help` shows what can be given.", what, commandName(app)), kWrongArguments);
}

/// Results that nobody got are a failure (a full disk behind a redirection); a reader that has gone away is not.
int checkOutput(int exitCode) {
    std::cout.flush();
    if (std::cout || exitCode != kDone || errno == EPIPE) {
        return exitCode;
    }
    return tell("The results could not be written to standard output; check where it leads.", kFailed);
}

int runGuarded(const Invocation& invocation) {
    try {
        return checkOutput(invocation.action());
    } catch (const Cancelled& error) {
        return tell(error.what(), kInterrupted);
    } catch (const ConfigError& error) {
        return tell(error.what(), kWrongArguments);
    } catch (const DataError& error) {
        return tell(error.what(), kUnusableData);
    } catch (const OutOfMemoryError& error) {
        return tell(error.what(), kOutOfMemory);
    } catch (const std::bad_alloc&) {
        return tell("The machine's memory ran out; choose a smaller batch or image size.", kOutOfMemory);
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::resource_unavailable_try_again) { // so a thread says that it has no stack
            return tell("The system gives no memory for another thread; end other programs, or raise the limit of "
                        "this process (`ulimit -v`).",
                        kOutOfMemory);
        }
        return tell(error.what(), kFailed);
    } catch (const std::exception& error) {
        return tell(error.what(), kFailed);
    }
}

} // namespace

bool wantsWindow(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        if (const auto place = placeAt(argc - i, argv + i)) {
            i += place->arguments - 1;
            continue;
        }
        const std::string_view argument = argv[i];
        const bool isQts = argument.size() > 2 && argument.starts_with('-') && !argument.starts_with("--");
        return isQts || argument.starts_with("--screenshots");
    }
    return true;
}

int passPlacesToWindow(int argc, char** argv) {
    int kept = std::min(argc, 1);
    for (int i = 1; i < argc; ++i) {
        if (const auto place = placeAt(argc - i, argv + i)) {
            setenv(place->environment, place->value, 1);
            i += place->arguments - 1;
        } else {
            argv[kept++] = argv[i];
        }
    }
    argv[kept] = nullptr; // as in main's argv
    return kept;
}

int runCommandLine(int argc, const char* const* argv, const report::ChartDrawers& charts) {
    std::signal(SIGPIPE, SIG_IGN); // a reader that goes away must not end a run
    std::signal(SIGXFSZ, SIG_IGN); // nor a file that may grow no further: writing it fails with a sentence
    Invocation invocation;
    invocation.charts = charts;
    CLI::App app(kDescription, "halfstep");
    app.require_subcommand(1);
    app.fallthrough(); // so that the options below may also follow the command
    app.set_version_flag("--version,-V", "halfstep " HALFSTEP_VERSION, "print the version and exit");
    app.add_option("--cache-dir", invocation.cacheFolder, "where decoded pictures are kept (or HALFSTEP_CACHE)")
        ->type_name("DIR");
    app.add_option("--history", invocation.historyFile, "the file of the run history (or HALFSTEP_HISTORY)")
        ->type_name("FILE");
    addTrainCommand(app, invocation);
    addSweepCommand(app, invocation);
    addRunsCommand(app, invocation);
    addReportCommand(app, invocation);
    addDataCommand(app, invocation);
    addDevicesCommand(app, invocation);
    addStepCommand(app, invocation);
    addProfileCommand(app, invocation);
    app.footer(kExamples); // after the commands, which would take it over

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& wanted) { // --help and --version
        return checkOutput(app.exit(wanted));
    } catch (const CLI::ParseError& error) {
        return tellWrongArguments(app, sentenceFor(error, app, argc, argv));
    } catch (const ConfigError& error) {
        return tellWrongArguments(app, error.what());
    }
    return runGuarded(invocation);
}

} // namespace halfstep::app
