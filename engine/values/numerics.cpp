#include "engine/values/numerics.h"
#include <algorithm>

namespace halfstep::values {
namespace {
using namespace std::string_view_literals;
constexpr std::array kPasses{"forward"sv, "backward"sv};
constexpr std::array kRoles{"weight"sv, "activation"sv, "gradient"sv};

template <typename Enum, std::size_t N>
std::optional<Enum> named(const std::array<std::string_view, N>& names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
}
} // namespace

std::string_view nameOf(Pass pass) {
    return kPasses[static_cast<std::size_t>(pass)];
}

std::optional<Pass> passNamed(std::string_view name) {
    return named<Pass>(kPasses, name);
}

std::string_view nameOf(TensorRole role) {
    return kRoles[static_cast<std::size_t>(role)];
}

std::optional<TensorRole> tensorRoleNamed(std::string_view name) {
    return named<TensorRole>(kRoles, name);
}

} // namespace halfstep::values
