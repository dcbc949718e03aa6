#pragma once
#include "engine/values/environment.h"
#include "engine/values/experiment_config.h"
#include "engine/values/memory.h"
#include "engine/values/run_event.h"
#include "engine/values/run_summary.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace halfstep::values {

/// What tells one cell of a sweep from the others.
struct CellKey {
    precision::Policy policy = precision::Policy::Float32;
    int batchSize = 32;
    std::string device = "cpu";
    std::string isa = "auto"; ///< as it was asked for
    bool operator==(const CellKey&) const = default;
};

/// Where the pictures of the steps come from: the set through its loader, or one batch of noise that lies ready.
enum class SweepInput { Pipeline, Synthetic };
std::string_view nameOf(SweepInput input); ///< "pipeline", "synthetic"
std::optional<SweepInput> sweepInputNamed(std::string_view name);

/// What a cell is compared with: the cell that differs from it by what is set here.
struct Baseline {
    std::optional<precision::Policy> policy = precision::Policy::Float32;
    std::optional<std::string> device{};
    std::optional<std::string> isa{};
    bool operator==(const Baseline&) const = default;
};

/// Every combination of the lists is a cell; each round measures each cell once, in an order of its own.
struct SweepConfig {
    ExperimentConfig base{}; ///< data, image size, seed, threads, optimizer ...; policy, batch size, device and isa
                             ///< come from the lists
    std::vector<precision::Policy> policies{precision::Policy::Float32, precision::Policy::MixedFloat16,
                                            precision::Policy::MixedBFloat16};
    std::vector<int> batchSizes{32};
    std::vector<std::string> devices{"cpu"};
    std::vector<std::string> isas{"auto"};
    int steps = 30;              ///< timed, of a cell in a round
    int warmup = 5;              ///< before them, kept apart
    int repeats = 3;             ///< rounds
    std::uint64_t orderSeed = 1; ///< of the shuffles of the cells, one for each round
    SweepInput input = SweepInput::Pipeline;
    Baseline baseline{};
    bool operator==(const SweepConfig&) const = default;
};

/// The policy that the others are compared with if nothing else is said: float32 if it is there, else the first.
precision::Policy usualBaseline(const std::vector<precision::Policy>& policies);

/// What can be said without looking at the data or the device; those of `base` too. Empty if all is well.
std::vector<FieldProblem> problemsOf(const SweepConfig& config);

/// Its cells in the order of a table: by device, instruction set, batch size, policy.
std::vector<CellKey> cellsOf(const SweepConfig& config);

/// `base` with the settings of the cell.
ExperimentConfig experimentOf(const SweepConfig& config, const CellKey& key);

enum class CellStatus { Ok, Oom, Unsupported, Failed, Disturbed, NotRun };
std::string_view nameOf(CellStatus status); ///< "ok", "oom", "unsupported", "failed", "disturbed", "not_run"
std::optional<CellStatus> cellStatusNamed(std::string_view name);

/// One round of one cell as it was measured. Every step is a whole batch from the same first weights.
struct CellRound {
    int round = 0;           ///< from 1
    int position = 0;        ///< of the cell in the round's order, from 1
    std::string startedAt{}; ///< UTC, ISO 8601
    std::vector<double> warmupMilliseconds{};
    std::vector<double> stepMilliseconds{}; ///< timed steps: wall time without waiting for data
    std::vector<double> waitMilliseconds{}; ///< wall time waited for the data before each timed step
    std::optional<double> loss{};           ///< of the last step; the same in every round of a cell
    std::uint64_t peakBytes = 0;            ///< that its tensors and scratch memory took
    std::optional<double> loadAverage{};    ///< the machine's, over one minute, before the round
    std::optional<double> clockMegahertz{}; ///< mean of the cores, after the round
    std::optional<double> otherShare{};     ///< of the machine's processor time that other processes took meanwhile
    bool operator==(const CellRound&) const = default;
};

/// A cell as the history holds it. `Disturbed` is never stored: the figures (analysis/sweep_figures.h) say it.
struct SweepCell {
    CellKey key{};
    CellStatus status = CellStatus::NotRun;
    std::string message{};                      ///< why it is out of memory, unsupported or failed
    std::string deviceText{};                   ///< "CPU AVX2, 2 threads"; empty until it was made
    std::string isa{};                          ///< that the kernels ran on
    std::string computedIn{};                   ///< what products were really computed in: "float32"; empty likewise
    std::optional<PredictedMemory> predicted{}; ///< empty if more than can be counted, or not looked at
    std::optional<std::uint64_t> freeBytes{};   ///< of an OOM cell, when it was tried
    std::optional<std::int64_t> largestBatch{}; ///< of an OOM cell: one that fits, 0 if none does
    std::vector<ConvolutionUse> convolutions{};
    std::vector<CellRound> rounds{}; ///< those that were measured to their end, in order
    bool operator==(const SweepCell&) const = default;
};

/// A sweep as the history holds it.
struct Sweep {
    std::int64_t id = 0;
    RunStatus status = RunStatus::Running;
    SweepConfig config{};
    Environment environment{}; ///< of the machine; `isa` and `convolutions` are the cells' own
    std::string governor{};    ///< of the processor's clock: "performance"; empty if the kernel does not tell
    std::string dataName{};
    std::uint64_t dataCacheBytes = 0; ///< of the pictures' file, which is mapped and not counted with the cells
    std::string startedAt{};
    std::string endedAt{};
    std::string message{}; ///< why it failed
    std::vector<SweepCell> cells{};
};

/// Rounds that all cells have which can be measured; 0 if none can.
int roundsDone(const Sweep& sweep);

/// Sent once, when the data are ready and the sweep is entered in the history.
struct SweepPlan {
    Sweep sweep{}; ///< with what is known of the cells before the first step, and rounds of an earlier session
    std::int64_t cellRounds = 0; ///< still to be measured
};

/// A step of a cell is done.
struct SweepStep {
    std::size_t cell = 0;
    int round = 0;
    std::int64_t step = 0;  ///< from 1, warm-up included
    std::int64_t steps = 0; ///< of this cell in this round
    bool warmup = false;
    double stepMilliseconds = 0;
    double waitMilliseconds = 0;
};

/// A cell has one more round, or is known not to run.
struct SweepCellChanged {
    std::size_t cell = 0;
    SweepCell state{};
    std::int64_t cellRoundsLeft = 0;
};

using SweepEvent = std::variant<DataProgress, Notice, SweepPlan, SweepStep, SweepCellChanged>;
/// Receives the events on the measuring thread. Must return quickly and must not throw.
using SweepSink = std::function<void(const SweepEvent&)>;

} // namespace halfstep::values
