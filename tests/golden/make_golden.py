#!/usr/bin/python3
"""Writes the golden files of the numerics tests: one training step of the convnet by PyTorch, all sums in float64.

    /usr/bin/python3 tests/golden/make_golden.py [NAME...]        (Debian: python3-torch)

A file keeps no weights and no batch, only the seed that both sides draw them from, and of large arrays every n-th
element. README.md says how seeds are chosen.
"""
import dataclasses
import pathlib
import platform
import sys

import numpy as np
import torch

import convnet
import number_formats
import safetensors_file

FOLDER = pathlib.Path(__file__).parent
# Of large arrays every n-th element is kept; prime and above 11: every row, column, channel and filter is among them.
STRIDES = {"conv2d_1/kernel": 13, "conv2d_2/kernel": 97}
NOISES = 5
LIMITS = {"float32": 1e-4, "mixed_float16": 2e-3, "mixed_bfloat16": 2e-2}  # relative L2, as in tolerance.cpp


@dataclasses.dataclass
class Case:
    name: str
    batch: int
    size: int
    policy: str = "float32"
    loss_scale: float = 1
    least: tuple = (2e-5, 2e-5, 2e-5)  # distance from the kink for each ReLU
    stable: bool = True  # float32's error moves no gradient by half of its limit
    kind: str = "natural"

    def draw(self, seed):
        draw = {"natural": convnet.draw_case, "clear": convnet.draw_clear_case}[self.kind]
        return draw(seed, self.batch, self.size)


LAST_ONLY = {"least": (0, 0, 5e-6), "stable": False}
ANYWHERE = {"least": (0, 0, 0), "stable": False}
HALF = {"policy": "mixed_float16"}
BFLOAT = {"policy": "mixed_bfloat16"}
CASES = [
    Case("step_32x32", 2, 32),
    Case("step_32x32_mixed_float16", 2, 32, **HALF, loss_scale=1024),
    Case("step_32x32_mixed_bfloat16", 2, 32, **BFLOAT),
    Case("step_36x36", 3, 36),
    Case("step_256x256", 4, 256, **LAST_ONLY),
    Case("step_256x256_mixed_float16", 4, 256, **HALF, loss_scale=4096, **ANYWHERE),
    Case("step_256x256_mixed_bfloat16", 4, 256, **BFLOAT, **ANYWHERE),
    Case("step_256x256_clear", 4, 256, kind="clear"),
    Case("step_256x256_clear_mixed_float16", 4, 256, **HALF, loss_scale=4096, kind="clear"),
    Case("step_256x256_clear_mixed_bfloat16", 4, 256, **BFLOAT, kind="clear"),
]


def relative_l2(got, expected):
    return float((got - expected).norm() / expected.norm())


def nearest_to_kink(case, drawn):
    weights, images, labels = drawn
    with torch.no_grad():
        tensors = {name: torch.tensor(value, dtype=torch.float64) for name, value in weights.items()}
        batch = torch.tensor(images, dtype=torch.float64)
        return convnet.forward(tensors, batch, torch.tensor(labels), convnet.Policy(case.policy))[3]


def largest_error_by_noise(case, drawn):
    exact = convnet.gradients(*drawn, case.policy, case.loss_scale)[2]
    largest = 0.0
    for noise in range(NOISES if case.size < 256 else 2):
        moved = convnet.gradients(*drawn, case.policy, case.loss_scale, np.random.default_rng(noise))[2]
        largest = max(largest, max(relative_l2(moved[name], exact[name]) for name in exact))
    return largest


def find_seed(case):
    seed = 0
    while True:
        seed += 1
        drawn = case.draw(seed)
        if any(got <= least for got, least in zip(nearest_to_kink(case, drawn), case.least)):
            continue
        if not case.stable or largest_error_by_noise(case, drawn) < LIMITS[case.policy] / 2:
            return seed, drawn


def kept(name, array):
    if name in ("loss", "logits"):
        return np.atleast_1d(array.astype(np.float64))
    stride = STRIDES.get(name.split("/", 1)[1], 1)
    return (array.reshape(-1)[::stride] if stride > 1 else array).astype(np.float32)


def is_kept(case, name):
    """Adam's first step is nearly the sign of a gradient: with 16-bit roundings it shows nothing that is not there."""
    return case.policy == "float32" or not name.startswith("updated/") or "moving" in name


def main():
    torch.set_num_threads(2)
    number_formats.check()
    for case in CASES:
        if len(sys.argv) > 1 and case.name not in sys.argv[1:]:
            continue
        seed, drawn = find_seed(case)
        result, nearest = convnet.training_step(*drawn, case.policy, case.loss_scale)
        arrays = {key: kept(key, value) for key, value in result.items() if is_kept(case, key)}
        about = {
            "seed": seed,
            "kind": case.kind,
            "batch": case.batch,
            "size": case.size,
            "policy": case.policy,
            "loss_scale": case.loss_scale,
            "nearest_to_kink": " ".join(f"{value:.3g}" for value in nearest),
            "python": platform.python_version(),
            "torch": torch.__version__,
            "numpy": np.__version__,
        }
        about.update({f"stride/{key}": value for key, value in STRIDES.items()})
        path = FOLDER / f"{case.name}.safetensors"
        safetensors_file.write(path, arrays, about)
        print(f"{path.name}: seed {seed}, loss {float(result['loss']):.6f}, nearest to kink {about['nearest_to_kink']},"
              f" {path.stat().st_size / 1000:.0f} kB", flush=True)


if __name__ == "__main__":
    main()
