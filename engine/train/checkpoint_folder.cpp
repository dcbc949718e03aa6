#include "engine/train/checkpoint_folder.h"
#include "engine/store/atomic_file.h"
#include "engine/store/run_export.h"
#include "engine/tensor/error.h"
#include "engine/train/checkpoint_json.h"
#include "engine/train/replace_folder.h"
#include "engine/train/weights_file.h"
#include "engine/values/json.h"
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

namespace halfstep::train {
namespace {
namespace fs = std::filesystem;

constexpr const char* kWeights = "weights.safetensors";
constexpr const char* kOptimizer = "optimizer.safetensors";
constexpr const char* kState = "state.json";
constexpr const char* kBest = "best";
constexpr std::string_view kStepPrefix = "step-";
constexpr std::string_view kHiddenPrefix = ".new-"; ///< of what is not whole yet

std::string folderName(std::int64_t step) {
    return fmt::format("{}{:06}", kStepPrefix, step);
}

/// Nothing for the name of anything but a checkpoint.
std::optional<std::int64_t> stepOf(std::string_view name) {
    if (!name.starts_with(kStepPrefix)) {
        return std::nullopt;
    }
    name.remove_prefix(kStepPrefix.size());
    std::int64_t step = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
    return error == std::errc{} && end == name.data() + name.size() ? std::optional(step) : std::nullopt;
}

/// By step.
std::map<std::int64_t, fs::path> checkpointsIn(const fs::path& folder) {
    std::map<std::int64_t, fs::path> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        if (const auto step = stepOf(entry.path().filename().string()); step && entry.is_directory(error)) {
            found[*step] = entry.path();
        }
    }
    return found;
}

constexpr const char* kAdvice = "Put an intact copy back, or start a new run.";

CheckpointState stateFrom(const fs::path& file) {
    const auto refuse = [&file](const std::string& reason) {
        throw DataError(fmt::format("The checkpoint \"{}\" cannot be used: {}. {}", file.string(), reason, kAdvice));
    };
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        refuse("it cannot be opened");
    }
    const auto json = nlohmann::ordered_json::parse(in, nullptr, false);
    if (json.is_discarded()) {
        refuse("it is no JSON document, so it is cut off or damaged");
    }
    CheckpointState state;
    try {
        state = checkpointStateFrom(json);
    } catch (const DataError& error) {
        refuse(error.what());
    }
    return state;
}

/// Runs `work` with the system's complaints as StoreErrors.
template <typename Work>
void guarded(const fs::path& place, Work work) {
    try {
        work();
    } catch (const fs::filesystem_error& error) {
        throw StoreError(fmt::format("\"{}\" could not be written: {}; choose another place.", place.string(),
                                     error.code().message()));
    }
}

} // namespace

void CheckpointFolder::prepare() const {
    guarded(m_folder, [this] {
        if (fs::create_directories(m_folder)) {
            syncFolder(m_folder.parent_path());
        }
    });
    const store::AtomicFile probe(m_folder / fmt::format("{}probe", kHiddenPrefix));
}

void CheckpointFolder::write(const Checkpoint& checkpoint) const {
    const std::string name = folderName(checkpoint.state.position.step);
    const fs::path hidden = m_folder / fmt::format("{}{}", kHiddenPrefix, name);
    try {
        guarded(m_folder / name, [&] {
            fs::create_directories(m_folder);
            fs::remove_all(hidden);
            fs::create_directory(hidden);
            writeArrays(hidden / kWeights, checkpoint.weights);
            writeArrays(hidden / kOptimizer, checkpoint.optimizer);
            store::writeFileAtomically(hidden / kState, values::jsonText(toJson(checkpoint.state)) + "\n");
            replaceFolder(hidden, m_folder / name);
        });
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(hidden, ignored);
        throw;
    }
    tidy(checkpoint.state);
}

void CheckpointFolder::tidy(const CheckpointState& checkpoint) const {
    guarded(m_folder, [&] {
        const auto found = checkpointsIn(m_folder);
        const fs::path link = m_folder / kBest;
        // If that of the best epoch could not be written, the best of those that could stays.
        if (checkpoint.best.epoch > 0 && found.contains(checkpoint.best.step)) {
            replaceLink(folderName(checkpoint.best.step), link, m_folder / fmt::format("{}{}", kHiddenPrefix, kBest));
        }
        const fs::path best = fs::is_symlink(link) ? fs::read_symlink(link) : fs::path{};
        for (const auto& [step, folder] : found) {
            if (step != checkpoint.position.step && folder.filename() != best) {
                fs::remove_all(folder);
            }
        }
        for (const fs::directory_entry& entry : fs::directory_iterator(m_folder)) {
            if (entry.path().filename().string().starts_with(kHiddenPrefix)) {
                fs::remove_all(entry.path());
            }
        }
    });
}

std::optional<fs::path> CheckpointFolder::last() const {
    const auto found = checkpointsIn(m_folder);
    return found.empty() ? std::nullopt : std::optional(found.rbegin()->second);
}

fs::path CheckpointFolder::lastOrRefuse() const {
    std::error_code error;
    if (!fs::is_directory(m_folder, error)) {
        throw DataError(
            fmt::format("The checkpoint folder \"{}\" is gone; put it back, or start a new run.", m_folder.string()));
    }
    const auto found = last();
    if (!found) {
        throw DataError(fmt::format(
            "The folder \"{}\" holds no checkpoint (step-...); put it back, or start a new run.", m_folder.string()));
    }
    return *found;
}

Checkpoint CheckpointFolder::read() const {
    const fs::path folder = lastOrRefuse();
    return {.folder = folder,
            .state = stateFrom(folder / kState),
            .weights = readWeights(folder / kWeights, kAdvice),
            .optimizer = readWeights(folder / kOptimizer, kAdvice)};
}

} // namespace halfstep::train
