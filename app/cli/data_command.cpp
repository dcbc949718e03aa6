#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console_reporter.h"
#include "app/cli/exit_code.h"
#include "app/cli/stop_signals.h"
#include "app/cli/text.h"
#include "engine/data/dataset.h"
#include "engine/values/json.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

namespace halfstep::app {
namespace {
using Json = nlohmann::ordered_json;

struct DataArguments {
    std::string source;
    int imageSize = 256;
    int threads = 0;
    bool json = false;
};

std::shared_ptr<const data::Dataset> open(const DataArguments& arguments, const Invocation& invocation) {
    StopSignals signals([] { std::cerr << "\nStopping." << std::endl; });
    ConsoleReporter reporter(std::cerr, ConsoleReporter::optionsOfStandardError());
    return data::openDataset(
        arguments.source,
        {.imageSize = arguments.imageSize,
         .cacheFolder = invocation.places().cacheFolder,
         .threads = arguments.threads},
        [&](const values::DataProgress& progress) { reporter.take(progress); }, signals.token());
}

Json jsonOf(const data::DatasetInfo& info) {
    Json classes = Json::array();
    for (const data::ClassInfo& one : info.classes) {
        classes.push_back({{"name", one.name}, {"wnid", one.wnid}, {"train", one.train}, {"val", one.validation}});
    }
    Json skipped = Json::array();
    for (const data::SkippedFile& file : info.skipped) {
        skipped.push_back({{"path", file.path}, {"reason", file.reason}});
    }
    return {{"source", info.source},
            {"name", info.displayName},
            {"drawn", info.drawn},
            {"classes", std::move(classes)},
            {"found", info.found},
            {"used", info.used},
            {"skipped", std::move(skipped)},
            {"warnings", info.warnings},
            {"image_size", info.imageSize},
            {"mean", info.mean},
            {"deviation", info.deviation},
            {"smallest", info.smallest},
            {"largest", info.largest},
            {"fingerprint", info.fingerprint},
            {"cache_bytes", info.cacheBytes()}};
}

void printSkipped(const data::DatasetInfo& info) {
    for (const data::SkippedFile& file : info.skipped) {
        std::cout << fmt::format("{}: {}\n", file.path, file.reason);
    }
    std::cout << fmt::format("{} of {} files can be used.\n", info.used, info.found);
}

void printInfo(const data::DatasetInfo& info) {
    std::size_t width = 5;
    std::int64_t train = 0;
    std::int64_t validation = 0;
    for (const data::ClassInfo& one : info.classes) {
        width = std::max(width, one.name.size());
        train += one.train;
        validation += one.validation;
    }
    const auto row = [width](const std::string& name, const std::string& wnid, auto ofTrain, auto ofValidation) {
        std::cout << fmt::format("{:<{}}  {:<9}  {:>7}  {:>7}\n", name, width, wnid, ofTrain, ofValidation);
    };
    std::cout << info.displayName << '\n';
    row("class", "wnid", "train", "val");
    for (const data::ClassInfo& one : info.classes) {
        row(one.name, one.wnid, one.train, one.validation);
    }
    row("all", "", train, validation);
    std::cout << fmt::format("\n{} of {} files are used{}\n", info.used, info.found,
                             info.skipped.empty() ? "" : " (`halfstep data check` says why the others are not)");
    std::cout << fmt::format("originals from {}x{} to {}x{}, the network sees {}x{}\n", info.smallest[0],
                             info.smallest[1], info.largest[0], info.largest[1], info.imageSize, info.imageSize);
    std::cout << fmt::format("decoded, as they are mapped for a run: {} ({} x {} x {} x 3 bytes)\n",
                             bytesText(info.cacheBytes()), info.used, info.imageSize, info.imageSize);
    std::cout << fmt::format("mean of red, green, blue {:.4f}, standard deviation {:.4f}\n",
                             fmt::join(info.mean, " "), fmt::join(info.deviation, " "));
    for (const std::string& warning : info.warnings) {
        std::cout << "Warning: " << warning << '\n';
    }
}

void addCommand(CLI::App& group, Invocation& invocation, const char* name, const char* help,
                void (*print)(const data::DatasetInfo&)) {
    CLI::App* command = group.add_subcommand(name, help);
    const auto arguments = std::make_shared<DataArguments>();
    command->add_option("source", arguments->source, "sample, a folder with train/ and val/, or a .tgz of one")
        ->required()
        ->type_name("SOURCE");
    addNumber(*command, "--image-size", arguments->imageSize, "side of the pictures that the network sees (256)");
    addNumber(*command, "--threads", arguments->threads, "threads that decode (0: all cores)");
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([&invocation, arguments, print] {
        invocation.action = [&invocation, arguments, print] {
            const auto dataset = open(*arguments, invocation);
            if (arguments->json) {
                std::cout << values::jsonText(jsonOf(dataset->info())) << '\n';
            } else {
                print(dataset->info());
            }
            return kDone;
        };
    });
}

} // namespace

void addDataCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* group = app.add_subcommand("data", "look at a set of pictures before training on it");
    group->require_subcommand(1);
    addCommand(*group, invocation, "info", "classes, counts, sizes, mean and standard deviation", printInfo);
    addCommand(*group, invocation, "check", "every file that cannot be used, with the reason", printSkipped);
}

} // namespace halfstep::app
