#pragma once
#include "engine/store/run_store.h"
#include "engine/values/sweep.h"
#include <QString>
#include <QVariant>
#include <compare>
#include <optional>
#include <utility>
#include <vector>

namespace halfstep::ui {

/// What names one entry of the history: runs and sweeps are numbered apart.
struct EntryKey {
    enum class Kind { Run, Sweep };
    Kind kind = Kind::Run;
    std::int64_t id = 0;
    auto operator<=>(const EntryKey&) const = default;

    QString text() const; ///< "Run 3", "Sweep 3"
};

/// A run or a sweep of the history, as the page History lists it.
struct HistoryEntry {
    EntryKey key{};
    values::RunStatus status = values::RunStatus::Running;
    QString what{};   ///< "mixed_float16 · batch 32 · 256 px", "3 policies × 4 batch sizes · 256 px"
    QString extent{}; ///< "3 epochs · 1 776 steps", "12 cells · 3 rounds"
    QString result{}; ///< "94.1 % · 140 ms", a step, "12 cells measured, 4 OOM"
    QString data{};
    QString name{};
    QString startedAt{}; ///< UTC, ISO 8601
    QString endedAt{};   ///< likewise; empty while it runs and if it was interrupted
    QString message{};   ///< why it failed, was stopped early or diverged
    /// Every setting, figure and fact of the machine, to be read one by one: name and value.
    std::vector<std::pair<QString, QString>> facts{};
    /// Why it cannot go on, as a sentence; empty if it can.
    QString noResume{};
};

HistoryEntry entryOf(const store::StoredRun& run);
HistoryEntry entryOf(const values::Sweep& sweep);

} // namespace halfstep::ui
