"""Who competes, and the rounds in which everyone takes a turn of some steps."""
import dataclasses
import sys

from peer_process import PeerFailed, PeerProcess

OURS = "halfstep"
MODES = {OURS: ["auto"], "torch": ["eager", "compile"], "tensorflow": ["function", "jit_compile"], "jax": ["jit"]}
PREPARING_STEPS = 4  # the first compiles; the best of the others decides between modes


@dataclasses.dataclass
class Entry:
    """One peer with one policy, in one of its modes."""
    policy: str
    peer: str
    mode: str
    process: PeerProcess
    description: str = ""
    prepared_ms: float = 0  # the best step of the preparation
    peak_mib: float = 0  # of the whole life of the process, compiling included
    steps_peak_mib: float = 0  # of the rounds alone
    samples_ms: list = dataclasses.field(default_factory=list)
    processor_ms: list = dataclasses.field(default_factory=list)  # of all threads, spinning included


def say(text):
    print(text, file=sys.stderr, flush=True)


def prepare(entry, limits):
    """Makes the first steps; throws PeerFailed if the peer cannot run or is slower than the limit."""
    entry.description = entry.process.wait_ready(limits.start_limit)
    entry.process.step(limits.start_limit)
    entry.prepared_ms = min(entry.process.step(limits.step_limit)[0] for _ in range(PREPARING_STEPS - 1))
    say(f"{entry.policy} {entry.description}: {entry.prepared_ms:.0f} ms")


def end(entry, entries):
    entry.process.end()
    entries.remove(entry)


def enter(entries, left_out, policies, peers, command_of, log_of, limits, all_modes):
    """Adds to `entries` those that run, and to `left_out` {name: why not}; of each peer's modes only the fastest runs,
    unless all_modes."""
    for policy in policies:
        for peer in [OURS, *peers]:
            running = []
            for mode in MODES[peer]:
                name = f"{policy} {peer} {mode}"
                entry = Entry(policy, peer, mode, PeerProcess(command_of(policy, peer, mode), log_of(policy, peer, mode)))
                entries.append(entry)  # at once: whoever started is ended, whatever happens
                try:
                    prepare(entry, limits)
                    running.append(entry)
                except PeerFailed as reason:
                    end(entry, entries)
                    left_out[name] = str(reason)
                    say(f"{name}: left out: {reason}")
            running.sort(key=lambda entry: entry.prepared_ms)
            for slower in [] if all_modes else running[1:]:
                end(slower, entries)
                left_out[f"{policy} {peer} {slower.mode}"] = (
                    f"{slower.prepared_ms:.0f} ms, slower than {running[0].mode}, {running[0].prepared_ms:.0f} ms")


def run_rounds(entries, rounds, steps_a_turn, left_out, limits):
    """Every entry makes `steps_a_turn` steps in each round; their mean is the round's sample. Who fails leaves
    `entries`."""
    for entry in entries:
        entry.peak_mib = entry.process.peak_mebibytes()
        entry.process.forget_peak()
    for number in range(rounds):
        for entry in list(entries):
            try:
                turn = [entry.process.step(limits.step_limit) for _ in range(steps_a_turn)]
                entry.samples_ms.append(sum(wall for wall, _ in turn) / len(turn))
                entry.processor_ms.append(sum(processor for _, processor in turn) / len(turn))
            except PeerFailed as reason:
                end(entry, entries)
                left_out[f"{entry.policy} {entry.peer} {entry.mode}"] = f"{reason} (round {number + 1})"
        say(f"round {number + 1} of {rounds}")
    for entry in entries:
        entry.steps_peak_mib = entry.process.peak_mebibytes()
        entry.peak_mib = max(entry.peak_mib, entry.steps_peak_mib)
