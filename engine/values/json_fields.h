#pragma once
#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include <algorithm>
#include <cmath>
#include <concepts>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace halfstep::values {

template <typename T>
nlohmann::ordered_json orNull(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// Reads the fields of one object, keeping what is there already where a field is missing.
class Fields {
public:
    explicit Fields(const nlohmann::ordered_json& json) : m_json(json) {
        if (!json.is_object()) {
            throw ConfigError("", "An experiment's settings must be a JSON object.");
        }
    }

    void read(const char* name, std::string& to) const {
        if (const nlohmann::ordered_json* value = find(name)) {
            require(value->is_string(), name, "a text", *value);
            to = value->get<std::string>();
        }
    }

    template <std::integral T>
    void read(const char* name, T& to) const {
        if (const nlohmann::ordered_json* value = find(name)) {
            to = integer<T>(name, *value);
        }
    }

    template <std::integral T>
    void read(const char* name, std::optional<T>& to) const {
        if (const nlohmann::ordered_json* value = find(name)) {
            to = value->is_null() ? std::nullopt : std::optional<T>(integer<T>(name, *value));
        }
    }

    void read(const char* name, double& to) const {
        if (const nlohmann::ordered_json* value = find(name)) {
            to = number(name, *value);
        }
    }

    void read(const char* name, std::optional<double>& to) const {
        if (const nlohmann::ordered_json* value = find(name)) {
            to = value->is_null() ? std::nullopt : std::optional(number(name, *value));
        }
    }

    /// One of a list of names; `fromName` gives nothing for an unknown one.
    template <typename T>
    void read(const char* name, T& to, std::optional<T> (*fromName)(std::string_view)) const {
        if (const nlohmann::ordered_json* value = find(name)) {
            require(value->is_string(), name, "a text", *value);
            const std::string text = value->get<std::string>();
            const auto known = fromName(text);
            if (!known) {
                throw ConfigError(name,
                                  fmt::format("The {} \"{}\" is not known to this version.", wordsOf(name), text));
            }
            to = *known;
        }
    }

private:
    /// "loss_scaling" as people write it.
    static std::string wordsOf(std::string name) {
        std::ranges::replace(name, '_', ' ');
        return name;
    }

    const nlohmann::ordered_json* find(const char* name) const {
        const auto found = m_json.find(name);
        return found == m_json.end() ? nullptr : &*found;
    }

    static void require(bool fits, const char* name, const char* expected, const nlohmann::ordered_json& got) {
        if (!fits) {
            throw ConfigError(
                name, fmt::format("The setting \"{}\" must be {}, not {}.", name, expected, jsonText(got, -1)));
        }
    }

    template <std::integral T>
    static T integer(const char* name, const nlohmann::ordered_json& value) {
        require(value.is_number_integer(), name, "a whole number", value);
        const bool fits = value.is_number_unsigned() ? std::in_range<T>(value.get<std::uint64_t>())
                                                     : std::in_range<T>(value.get<std::int64_t>());
        require(fits, name, "a whole number of its range", value);
        return value.get<T>();
    }

    static double number(const char* name, const nlohmann::ordered_json& value) {
        if (value == "nan") {
            return std::numeric_limits<double>::quiet_NaN();
        }
        if (value == "inf" || value == "-inf") {
            return value == "inf" ? HUGE_VAL : -HUGE_VAL;
        }
        require(value.is_number(), name, "a number", value);
        return value.get<double>();
    }

    const nlohmann::ordered_json& m_json;
};

} // namespace halfstep::values
