#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "engine/tensor/error.h"
#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <iostream>
#include <new>
#include <string_view>

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
  halfstep devices                               what this machine can train on

Results go to standard output, progress to standard error. Exit codes: 0 done, 1 failed, 2 wrong arguments,
3 the data cannot be used, 4 out of memory, 130 interrupted.)";

struct PlaceOption {
    std::string_view flag;
    const char* environment;
};
constexpr std::array kPlaceOptions{PlaceOption{"--cache-dir", "HALFSTEP_CACHE"},
                                   PlaceOption{"--history", "HALFSTEP_HISTORY"}};

int tell(const std::string& sentence, int exitCode) {
    std::cerr << "halfstep: " << sentence << std::endl;
    return exitCode;
}

/// "halfstep runs", the command that was being read when an argument turned out to be wrong.
std::string commandName(const CLI::App& app) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    return app.get_name() + (chosen.empty() ? "" : " " + commandName(*chosen.front()));
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
    } catch (const std::exception& error) {
        return tell(error.what(), kFailed);
    }
}

} // namespace

bool wantsWindow(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        bool isPlace = false;
        for (const PlaceOption& option : kPlaceOptions) {
            isPlace = isPlace || argument.starts_with(std::string(option.flag) + "=");
            if (argument == option.flag && i + 1 < argc) {
                isPlace = true;
                ++i;
                break;
            }
        }
        if (!isPlace) {
            return argument.size() > 2 && argument.starts_with('-') && !argument.starts_with("--");
        }
    }
    return true;
}

void passPlacesToWindow(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        for (const PlaceOption& option : kPlaceOptions) {
            if (argument == option.flag && i + 1 < argc) {
                setenv(option.environment, argv[i + 1], 1);
            } else if (argument.starts_with(std::string(option.flag) + "=")) {
                setenv(option.environment, argv[i] + option.flag.size() + 1, 1);
            }
        }
    }
}

int runCommandLine(int argc, const char* const* argv) {
    std::signal(SIGPIPE, SIG_IGN); // a reader that goes away must not end a run
    Invocation invocation;
    CLI::App app(kDescription, "halfstep");
    app.footer(kExamples);
    app.require_subcommand(1);
    app.fallthrough(); // so that the options below may also follow the command
    app.set_version_flag("--version,-V", "halfstep " HALFSTEP_VERSION, "print the version and exit");
    app.add_option("--cache-dir", invocation.cacheFolder, "where decoded pictures are kept (or HALFSTEP_CACHE)")
        ->type_name("DIR");
    app.add_option("--history", invocation.historyFile, "the file of the run history (or HALFSTEP_HISTORY)")
        ->type_name("FILE");
    addTrainCommand(app, invocation);
    addRunsCommand(app, invocation);
    addDataCommand(app, invocation);
    addDevicesCommand(app, invocation);
    addStepCommand(app, invocation);

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& wanted) { // --help and --version
        return checkOutput(app.exit(wanted));
    } catch (const CLI::ParseError& error) {
        return tellWrongArguments(app, error.what());
    } catch (const ConfigError& error) {
        return tellWrongArguments(app, error.what());
    }
    return runGuarded(invocation);
}

} // namespace halfstep::app
