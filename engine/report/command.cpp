#include "engine/report/command.h"
#include "engine/report/plain_text.h"
#include "engine/values/json.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace halfstep::report {
namespace {
using Json = nlohmann::ordered_json;
using values::ExperimentConfig;
using values::SweepConfig;

/// The option of a setting where it is not the setting's name.
constexpr std::array kFlags{std::pair{"memory_limit_bytes", "--memory-limit"},
                            std::pair{"early_stopping_patience", "--early-stopping"}};

/// Settings of a sweep's `base` that its steps depend on; the cells' own come from the lists.
constexpr std::array kOfSweeps{"name",
                               "data",
                               "image_size",
                               "seed",
                               "threads",
                               "convolution",
                               "optimizer",
                               "learning_rate",
                               "epsilon",
                               "loss_scaling",
                               "loss_scale_rule",
                               "loss_scale",
                               "loss_scale_growth",
                               "loss_scale_backoff",
                               "loss_scale_interval",
                               "memory_limit_bytes"};

class Arguments {
public:
    explicit Arguments(std::string command) : m_list{std::move(command)} {}

    /// A value that begins with a hyphen would be taken for an option of its own.
    void add(const std::string& flag, const std::string& value) {
        if (value.starts_with('-') || value.empty()) {
            m_list.push_back(flag + '=' + value);
        } else {
            m_list.insert(m_list.end(), {flag, value});
        }
    }
    void add(const std::string& flag) { m_list.push_back(flag); }

    template <typename T>
    void addList(const std::string& flag, const std::vector<T>& list, const std::vector<T>& standard) {
        if (list != standard) {
            add(flag, fmt::format("{}", fmt::join(list, ",")));
        }
    }

    template <typename T>
    void addNumber(const std::string& flag, T value, T standard) {
        if (value != standard) {
            add(flag, fmt::format("{}", value));
        }
    }

    /// The settings for which `counts` holds and that are not their defaults.
    template <typename Counts>
    void addSettings(const ExperimentConfig& config, Counts counts) {
        const Json standard = values::toJson(ExperimentConfig{});
        const Json settings = values::toJson(config);
        for (const auto& [field, value] : settings.items()) {
            if (!value.is_null() && value != standard.at(field) && counts(field)) {
                // A number as its shortest text, which reads back to the same value; text as it is, in any bytes.
                add(flagOf(field),
                    value.is_string() ? value.template get<std::string>() : values::jsonText(value, -1));
            }
        }
    }

    std::vector<std::string> take() { return std::move(m_list); }

private:
    std::vector<std::string> m_list;
};

bool isAdamsOnly(std::string_view field, const ExperimentConfig& config) {
    return field == "epsilon" && config.optimizer != values::OptimizerKind::Adam;
}

std::vector<std::string_view> namesOf(const std::vector<precision::Policy>& policies) {
    std::vector<std::string_view> names;
    for (const precision::Policy policy : policies) {
        names.push_back(precision::traitsOf(policy).name);
    }
    return names;
}

void addBaseline(Arguments& arguments, const SweepConfig& config) {
    const values::Baseline& baseline = config.baseline;
    if (!baseline.policy) {
        arguments.add("--baseline", "own");
    } else if (baseline.policy != values::usualBaseline(config.policies)) {
        arguments.add("--baseline", std::string(precision::traitsOf(*baseline.policy).name));
    }
    if (baseline.device) {
        arguments.add("--baseline-device", *baseline.device);
    }
    if (baseline.isa) {
        arguments.add("--baseline-isa", *baseline.isa);
    }
}

std::string shellWord(const std::string& word) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
        return word;
    }
    const bool printable = plainLine(word) == word;
    std::string quoted = printable ? "'" : "$'";
    for (const char c : word) {
        const auto byte = static_cast<unsigned char>(c);
        if (printable) {
            quoted += c == '\'' ? std::string("'\\''") : std::string{c};
        } else if (c == '\'' || c == '\\') {
            quoted += {'\\', c};
        } else {
            quoted += byte < 0x20 || byte >= 0x7F ? fmt::format("\\x{:02x}", byte) : std::string{c};
        }
    }
    return quoted + "'";
}

} // namespace

std::string flagOf(std::string_view field) {
    const auto* known = std::ranges::find(kFlags, field, [](const auto& pair) { return pair.first; });
    if (known != kFlags.end()) {
        return known->second;
    }
    std::string flag = "--" + std::string(field);
    std::ranges::replace(flag, '_', '-');
    return flag;
}

std::vector<std::string> trainArguments(const ExperimentConfig& config) {
    Arguments arguments("train");
    arguments.addSettings(config, [&](std::string_view field) {
        return !isAdamsOnly(field, config) && !(field == "epochs" && config.steps);
    });
    return arguments.take();
}

std::vector<std::string> sweepArguments(const SweepConfig& config) {
    const SweepConfig standard;
    Arguments arguments("sweep");
    arguments.addList("--policies", namesOf(config.policies), namesOf(standard.policies));
    arguments.addList("--batch-sizes", config.batchSizes, standard.batchSizes);
    arguments.addList("--devices", config.devices, standard.devices);
    arguments.addList("--isas", config.isas, standard.isas);
    arguments.addNumber("--steps", config.steps, standard.steps);
    arguments.addNumber("--warmup", config.warmup, standard.warmup);
    arguments.addNumber("--repeats", config.repeats, standard.repeats);
    arguments.addNumber("--order-seed", config.orderSeed, standard.orderSeed);
    if (config.input == values::SweepInput::Synthetic) {
        arguments.add("--synthetic");
    }
    addBaseline(arguments, config);
    arguments.addSettings(config.base, [&](std::string_view field) {
        return std::ranges::find(kOfSweeps, field) != kOfSweeps.end() && !isAdamsOnly(field, config.base);
    });
    return arguments.take();
}

std::string shellCommand(const std::vector<std::string>& arguments) {
    std::string line = "halfstep";
    for (const std::string& argument : arguments) {
        line += ' ' + shellWord(argument);
    }
    return line;
}

} // namespace halfstep::report
