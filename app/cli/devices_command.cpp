#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/text.h"
#include "engine/backend/devices.h"
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

} // namespace

void addDevicesCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("devices", "show what this machine can train on");
    const auto asJson = std::make_shared<bool>(false);
    command->add_flag("--json", *asJson, "print one JSON document");
    command->callback([&invocation, asJson] {
        invocation.action = [asJson] {
            const std::vector<backend::DeviceInfo> devices = backend::devices();
            if (*asJson) {
                Json document = Json::array();
                for (const backend::DeviceInfo& device : devices) {
                    document.push_back(jsonOf(device));
                }
                std::cout << values::jsonText({{"devices", std::move(document)}}) << '\n';
            } else {
                for (const backend::DeviceInfo& device : devices) {
                    print(device);
                }
            }
            return kDone;
        };
    });
}

} // namespace halfstep::app
