#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/text.h"
#include "engine/backend/devices.h"
#include "engine/precision/roundings.h"
#include "engine/values/experiment_config.h"
#include "engine/values/json.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

namespace halfstep::app {
namespace {
using Json = nlohmann::ordered_json;

Json jsonOf(const backend::DeviceInfo& device) {
    Json policies = Json::array();
    for (const backend::PolicySupport& policy : device.policies) {
        policies.push_back({{"policy", precision::traitsOf(policy.policy).name},
                            {"supported", policy.supported},
                            {"text", policy.text}});
    }
    return {{"id", device.id},
            {"name", device.name},
            {"usable", device.usable},
            {"text", device.text},
            {"cores", device.cores},
            {"isas", device.isas},
            {"memory_bytes", device.memoryBytes},
            {"free_memory_bytes", device.freeMemoryBytes},
            {"policies", std::move(policies)}};
}

void print(const backend::DeviceInfo& device) {
    std::cout << fmt::format("{}: {}\n", device.id, device.name);
    if (!device.usable) {
        std::cout << fmt::format("  cannot be used: {}\n", device.text);
        return;
    }
    if (device.cores > 0) {
        std::cout << fmt::format("  cores             {}\n", device.cores);
    }
    if (!device.isas.empty()) {
        std::cout << fmt::format("  instruction sets  {} (for --isa; auto takes the first)\n",
                                 fmt::join(device.isas, ", "));
    }
    std::cout << fmt::format("  memory            {}, {} of it free\n", bytesText(device.memoryBytes),
                             bytesText(device.freeMemoryBytes));
    for (const backend::PolicySupport& policy : device.policies) {
        std::cout << fmt::format("  {:<17} {}{}\n", precision::traitsOf(policy.policy).name,
                                 policy.supported ? "" : "cannot be used: ", policy.text);
    }
}

/// The table of roundings, a policy's column after the other.
Json policiesJson() {
    Json policies = Json::array();
    for (const precision::Policy policy : precision::kPolicies) {
        const precision::PolicyTraits& traits = precision::traitsOf(policy);
        Json tensors = Json::array();
        for (const precision::StepTensor tensor : precision::kStepTensors) {
            const precision::Rounding rounding = precision::roundingOf(traits, tensor);
            tensors.push_back({{"tensor", rounding.name},
                               {"stored", tensor::nameOf(rounding.stored)},
                               {"computed", tensor::nameOf(rounding.computed)},
                               {"rounded", rounding.rounded},
                               {"where", rounding.where}});
        }
        policies.push_back({{"policy", traits.name},
                            {"compute_dtype", tensor::nameOf(traits.computeDType)},
                            {"variable_dtype", tensor::nameOf(traits.variableDType)},
                            {"dynamic_loss_scaling", traits.dynamicLossScaling},
                            {"summary", traits.summary},
                            {"warnings", values::warningsOf({.policy = policy})},
                            {"tensors", std::move(tensors)}});
    }
    return policies;
}

/// Where a tensor is rounded, from the first policy that rounds it; empty if none does.
std::string_view placeOfRounding(precision::StepTensor tensor) {
    for (const precision::Policy policy : precision::kPolicies) {
        const precision::Rounding rounding = precision::roundingOf(precision::traitsOf(policy), tensor);
        if (rounding.rounded) {
            return rounding.where;
        }
    }
    return {};
}

void printPolicies() {
    std::string header = "stored as (all sums and products are float32)";
    std::string rows, places;
    for (const precision::StepTensor tensor : precision::kStepTensors) {
        std::string_view name;
        std::string dtypes;
        for (const precision::Policy policy : precision::kPolicies) {
            const precision::Rounding rounding = precision::roundingOf(precision::traitsOf(policy), tensor);
            name = rounding.name;
            dtypes += fmt::format(" {:<14}", tensor::nameOf(rounding.stored));
        }
        rows += fmt::format("{:<48}{}\n", name, dtypes.substr(0, dtypes.find_last_not_of(' ') + 1));
        if (const std::string_view place = placeOfRounding(tensor); !place.empty()) {
            places += fmt::format("  {:<46} {}\n", name, place);
        }
    }
    header = fmt::format("{:<48}", header);
    for (const precision::Policy policy : precision::kPolicies) {
        header += fmt::format(" {:<14}", precision::traitsOf(policy).name);
    }
    std::cout << header.substr(0, header.find_last_not_of(' ') + 1) << '\n'
              << rows << "\nWhat is stored in 16 bits is rounded to nearest, ties to even:\n"
              << places;
    for (const precision::Policy policy : precision::kPolicies) {
        const std::vector<std::string> warnings = values::warningsOf({.policy = policy});
        if (!warnings.empty()) {
            std::cout << fmt::format("\nWhat goes wrong under {}:\n  {}\n", precision::traitsOf(policy).name,
                                     fmt::join(warnings, "\n  "));
        }
    }
}

int printDevices(bool asJson) {
    const std::vector<backend::DeviceInfo> devices = backend::devices();
    if (asJson) {
        Json document = Json::array();
        for (const backend::DeviceInfo& device : devices) {
            document.push_back(jsonOf(device));
        }
        std::cout << values::jsonText({{"devices", std::move(document)}}) << '\n';
        return kDone;
    }
    for (const backend::DeviceInfo& device : devices) {
        print(device);
    }
    return kDone;
}

} // namespace

void addDevicesCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("devices", "show what this machine can train on");
    const auto asJson = std::make_shared<bool>(false);
    const auto policies = std::make_shared<bool>(false);
    command->add_flag("--json", *asJson, "print one JSON document");
    command->add_flag("--policies", *policies,
                      "print what each policy stores every tensor of a step in, and where it "
                      "is rounded");
    command->callback([&invocation, asJson, policies] {
        invocation.action = [asJson, policies]() -> int {
            if (!*policies) {
                return printDevices(*asJson);
            }
            if (*asJson) {
                std::cout << values::jsonText({{"policies", policiesJson()}}) << '\n';
            } else {
                printPolicies();
            }
            return kDone;
        };
    });
}

} // namespace halfstep::app
