"""What the rounds found, as a table for people and as values for programs."""
import statistics

from comparison import OURS

# How far the first loss may be from ours for the same computation: float32 sums in another order; under the mixed
# policies, logits of another rounding.
LOSS_TOLERANCE = {"float32": 1e-5, "mixed_float16": 2e-3, "mixed_bfloat16": 1e-2}


def quartiles(sample):
    """(lower quartile, median, upper quartile), interpolated linearly as analysis::quartiles does."""
    if len(sample) == 1:
        return sample[0], sample[0], sample[0]
    return tuple(statistics.quantiles(sample, n=4, method="inclusive"))


def summarize(entries):
    """One dictionary an entry, with ratios to ours of the same policy, round by round."""
    ours = {entry.policy: entry for entry in entries if entry.peer == OURS}
    rows = []
    for entry in entries:
        row = {"policy": entry.policy, "peer": entry.peer, "mode": entry.mode, "description": entry.description,
               "ms": quartiles(entry.samples_ms), "samples_ms": entry.samples_ms,
               "processor_ms": entry.processor_ms, "losses": entry.process.losses,
               "peak_mib": entry.peak_mib, "steps_peak_mib": entry.steps_peak_mib}
        own = ours.get(entry.policy)
        if own is not None:
            row["ratio"] = quartiles([a / b for a, b in zip(entry.samples_ms, own.samples_ms)])
            row["processor_ratio"] = quartiles([a / b for a, b in zip(entry.processor_ms, own.processor_ms)])
            first = own.process.losses[0]
            row["first_loss_difference"] = abs(entry.process.losses[0] - first) / abs(first)
            row["same_first_loss"] = row["first_loss_difference"] <= LOSS_TOLERANCE[entry.policy]
        rows.append(row)
    return rows


COLUMNS = [("policy", "<15"), ("peer", "<10"), ("mode", "<11"), ("ms/step", ">8"), ("quartiles", ">17"), ("over ours", ">9"),
           ("quartiles", ">13"), ("cpu ms", ">8"), ("over ours", ">9"), ("peak MiB", ">8"), ("in steps", ">8"),
           ("loss 1", ">9"), ("loss {}", ">9")]
UNKNOWN = (float("nan"),) * 3  # where we are not among the entries


def cells(row, loss_step):
    low, middle, high = row["ms"]
    low_ratio, ratio, high_ratio = row.get("ratio", UNKNOWN)
    return [row["policy"], row["peer"], row["mode"], f"{middle:.1f}", f"{low:.1f} {high:8.1f}", f"{ratio:.2f}x",
            f"{low_ratio:.2f} {high_ratio:6.2f}", f"{quartiles(row['processor_ms'])[1]:.1f}",
            f"{row.get('processor_ratio', UNKNOWN)[1]:.2f}x", f"{row['peak_mib']:.0f}", f"{row['steps_peak_mib']:.0f}",
            f"{row['losses'][0]:.6f}", f"{row['losses'][loss_step - 1]:.6f}"]


def print_table(rows, left_out, loss_step):
    print(" ".join(f"{name.format(loss_step):{form}}" for name, form in COLUMNS))
    for row in rows:
        print(" ".join(f"{cell:{form}}" for cell, (_, form) in zip(cells(row, loss_step), COLUMNS))
              + ("" if row.get("same_first_loss", True) else "  FIRST LOSS IS NOT OURS"))
    for policy in dict.fromkeys(row["policy"] for row in rows):
        others = [row for row in rows if row["policy"] == policy and row["peer"] != OURS and "ratio" in row]
        if others:
            best = min(others, key=lambda row: row["ratio"][1])
            print(f"{policy}: the fastest peer, {best['peer']} {best['mode']}, takes {best['ratio'][1]:.2f} times as "
                  f"long as ours ({best['ratio'][0]:.2f} to {best['ratio'][2]:.2f})")
    for name, reason in left_out.items():
        print(f"left out: {name}: {reason}")
