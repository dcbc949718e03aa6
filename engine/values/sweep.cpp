#include "engine/values/sweep.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace halfstep::values {
namespace {

constexpr std::array kInputs{std::pair{SweepInput::Pipeline, "pipeline"},
                             std::pair{SweepInput::Synthetic, "synthetic"}};

constexpr std::array kStatuses{std::pair{CellStatus::Ok, "ok"},
                               std::pair{CellStatus::Oom, "oom"},
                               std::pair{CellStatus::Unsupported, "unsupported"},
                               std::pair{CellStatus::Failed, "failed"},
                               std::pair{CellStatus::Disturbed, "disturbed"},
                               std::pair{CellStatus::NotRun, "not_run"}};

template <typename T, typename Table>
std::string_view nameIn(const Table& table, T value) {
    return std::ranges::find(table, value, [](const auto& entry) { return entry.first; })->second;
}

template <typename T, typename Table>
std::optional<T> namedIn(const Table& table, std::string_view name) {
    const auto found =
        std::ranges::find(table, name, [](const auto& entry) { return std::string_view(entry.second); });
    return found == table.end() ? std::nullopt : std::optional<T>(found->first);
}

/// Said once for a list that is empty or names something twice.
template <typename T, typename Text>
void checkList(std::vector<FieldProblem>& problems, const char* field, const char* what, const std::vector<T>& list,
               Text text) {
    if (list.empty()) {
        problems.push_back({field, fmt::format("The sweep has no {}; name at least one.", what)});
    }
    for (auto entry = list.begin(); entry != list.end(); ++entry) {
        if (std::find(list.begin(), entry, *entry) != entry) {
            problems.push_back(
                {field, fmt::format("{} stands twice in the list; name each {} once.", text(*entry), what)});
            return;
        }
    }
}

void checkRange(std::vector<FieldProblem>& problems, const char* field, const char* what, int value, int least,
                int most) {
    if (value < least || value > most) {
        problems.push_back(
            {field, fmt::format("The number of {} is {}; it must lie between {} and {}.", what, value, least, most)});
    }
}

} // namespace

std::string_view nameOf(SweepInput input) {
    return nameIn(kInputs, input);
}

std::optional<SweepInput> sweepInputNamed(std::string_view name) {
    return namedIn<SweepInput>(kInputs, name);
}

std::string_view nameOf(CellStatus status) {
    return nameIn(kStatuses, status);
}

std::optional<CellStatus> cellStatusNamed(std::string_view name) {
    return namedIn<CellStatus>(kStatuses, name);
}

precision::Policy usualBaseline(const std::vector<precision::Policy>& policies) {
    const bool hasFloat32 = std::ranges::find(policies, precision::Policy::Float32) != policies.end();
    return hasFloat32 || policies.empty() ? precision::Policy::Float32 : policies.front();
}

std::vector<FieldProblem> problemsOf(const SweepConfig& config) {
    std::vector<FieldProblem> problems;
    const auto quoted = [](const std::string& name) { return fmt::format("\"{}\"", name); };
    checkList(problems, "policies", "policy", config.policies,
              [](precision::Policy policy) { return std::string(precision::traitsOf(policy).name); });
    checkList(problems, "batch_sizes", "batch size", config.batchSizes,
              [](int size) { return fmt::format("{}", size); });
    checkList(problems, "devices", "device", config.devices, quoted);
    checkList(problems, "isas", "instruction set", config.isas, quoted);
    checkRange(problems, "steps", "timed steps", config.steps, 1, 1'000'000);
    checkRange(problems, "warmup", "warm-up steps", config.warmup, 0, 1'000'000);
    checkRange(problems, "repeats", "rounds", config.repeats, 1, 10'000);
    // Each cell's own settings; a trouble of `base` is told once.
    for (const CellKey& key : cellsOf(config)) {
        for (FieldProblem& problem : problemsOf(experimentOf(config, key))) {
            if (problem.field == "batch_size" || problem.field == "device" || problem.field == "isa") {
                problem.field += "s"; // as the list is called
            }
            if (std::ranges::find(problems, problem.sentence, &FieldProblem::sentence) == problems.end()) {
                problems.push_back(std::move(problem));
            }
        }
    }
    return problems;
}

std::vector<CellKey> cellsOf(const SweepConfig& config) {
    std::vector<CellKey> cells;
    for (const std::string& device : config.devices) {
        for (const std::string& isa : config.isas) {
            for (const int batchSize : config.batchSizes) {
                for (const precision::Policy policy : config.policies) {
                    cells.push_back({policy, batchSize, device, isa});
                }
            }
        }
    }
    return cells;
}

int roundsDone(const Sweep& sweep) {
    std::optional<std::size_t> least;
    for (const SweepCell& cell : sweep.cells) {
        if (cell.status == CellStatus::Ok || cell.status == CellStatus::NotRun) {
            least = std::min(least.value_or(cell.rounds.size()), cell.rounds.size());
        }
    }
    return static_cast<int>(least.value_or(0));
}

ExperimentConfig experimentOf(const SweepConfig& config, const CellKey& key) {
    ExperimentConfig experiment = config.base;
    experiment.policy = key.policy;
    experiment.batchSize = key.batchSize;
    experiment.device = key.device;
    experiment.isa = key.isa;
    return experiment;
}

} // namespace halfstep::values
