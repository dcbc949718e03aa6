#include "app/cli/arguments.h"
#include "engine/tensor/error.h"
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace halfstep::app {
namespace {

struct ByteUnit {
    std::string_view name;
    double bytes;
};
constexpr std::array kByteUnits{
    ByteUnit{"", 1},         ByteUnit{"B", 1},        ByteUnit{"kB", 1e3},     ByteUnit{"KB", 1e3},
    ByteUnit{"MB", 1e6},     ByteUnit{"GB", 1e9},     ByteUnit{"TB", 1e12},    ByteUnit{"KiB", 0x1p10},
    ByteUnit{"MiB", 0x1p20}, ByteUnit{"GiB", 0x1p30}, ByteUnit{"TiB", 0x1p40},
};

} // namespace

void refuseArgument(const std::string& flag, std::string_view text, const std::string& expected) {
    throw ConfigError(flag, fmt::format("{} takes {}, not \"{}\".", flag, expected, text));
}

std::uint64_t bytesFrom(const std::string& flag, std::string_view text) {
    constexpr const char* kExpected = "a number of bytes above 0, such as 4GiB, 500MB or 1048576";
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (unit.starts_with(' ')) {
        unit.remove_prefix(1);
    }
    for (const ByteUnit& known : kByteUnits) {
        const double bytes = std::floor(number * known.bytes);
        if (error == std::errc{} && known.name == unit && bytes >= 1 && bytes < 0x1p63) {
            return static_cast<std::uint64_t>(bytes);
        }
    }
    refuseArgument(flag, text, kExpected);
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
