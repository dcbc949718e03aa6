#pragma once
#include "engine/precision/policy.h"
#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace halfstep::app {

/// Adds an option that sets `target` from a whole or decimal number. CLI11's own reading would take "010" for 8 and
/// depend on the locale. Throws ConfigError (while parsing) for anything but one number of T's range.
template <typename T>
CLI::Option* addNumber(CLI::App& app, const std::string& flag, T& target, const std::string& help);

/// Adds --policy. Throws ConfigError with the known names for any other.
CLI::Option* addPolicy(CLI::App& app, precision::Policy& target);
/// Throws ConfigError that names `flag` and the known names.
precision::Policy policyFrom(const std::string& flag, std::string_view text);
/// "float32, mixed_float16, ..."
std::string policyNames();

/// "4GiB", "500 MB", "1.5GiB", "1048576": KiB, MiB, GiB, TiB are powers of 1024; kB, MB, GB, TB of 1000.
/// Throws ConfigError that names `flag`.
std::uint64_t bytesFrom(const std::string& flag, std::string_view text);

/// Throws ConfigError saying that `text` is not what `flag` takes.
[[noreturn]] void refuseArgument(const std::string& flag, std::string_view text, const std::string& expected);

template <typename T>
T numberFrom(const std::string& flag, std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        refuseArgument(flag, text, std::is_integral_v<T> ? "a whole number in its range" : "a number");
    }
    return value;
}

template <typename T>
CLI::Option* addNumber(CLI::App& app, const std::string& flag, T& target, const std::string& help) {
    return app
        .add_option_function<std::string>(
            flag, [flag, &target](const std::string& text) { target = numberFrom<T>(flag, text); }, help)
        ->type_name(std::is_integral_v<T> ? "N" : "NUMBER");
}

} // namespace halfstep::app
