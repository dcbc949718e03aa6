#include "app/cli/arguments.h"
#include "engine/tensor/error.h"
#include "engine/values/byte_text.h"
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace halfstep::app {
void refuseArgument(const std::string& flag, std::string_view text, const std::string& expected) {
    throw ConfigError(flag, fmt::format("{} takes {}, not \"{}\".", flag, expected, text));
}

std::uint64_t bytesFrom(const std::string& flag, std::string_view text) {
    constexpr const char* kExpected = "a number of bytes above 0, such as 4GiB, 500MB or 1048576";
    const auto bytes = values::bytesIn(text);
    if (!bytes) {
        refuseArgument(flag, text, kExpected);
    }
    return *bytes;
}

std::string policyNames() {
    std::string names;
    for (const precision::Policy policy : precision::kPolicies) {
        names += (names.empty() ? "" : ", ") + std::string(precision::traitsOf(policy).name);
    }
    return names;
}

precision::Policy policyFrom(const std::string& flag, std::string_view text) {
    const auto policy = precision::policyNamed(text);
    if (!policy) {
        refuseArgument(flag, text, "one of " + policyNames());
    }
    return *policy;
}

CLI::Option* addPolicy(CLI::App& app, precision::Policy& target) {
    const auto take = [&target](const std::string& text) { target = policyFrom("--policy", text); };
    return app.add_option_function<std::string>("--policy", take, "precision policy: " + policyNames())
        ->type_name("P");
}

} // namespace halfstep::app
