#!/usr/bin/python3
"""Runs `halfstep step` on drawn weights and a drawn batch, and prints how far it lies from PyTorch in float64.

    /usr/bin/python3 tests/golden/compare_step.py PROGRAM [--size 32] [--batch 2] [--seed 11] [--policy float32]

PyTorch rounds as the policy does. The distance is the relative L2 norm. Exit code 1 if in float32 that of the loss,
the logits or a gradient is above --limit.
Updated weights are shown only: Adam's first step is nearly the sign of a gradient, however small.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import convnet
import safetensors_file


def relative_l2(got, expected):
    difference = np.linalg.norm(got.astype(np.float64).ravel() - expected.ravel())
    norm = np.linalg.norm(expected.ravel())
    return difference / norm if norm > 0 else difference


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--policy", default="float32", choices=convnet.COMPUTE_DTYPES)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--loss-scale", type=float)
    parser.add_argument("--limit", type=float, default=1e-4)
    options = parser.parse_args()
    if options.loss_scale is None:
        options.loss_scale = 32768.0 if options.policy == "mixed_float16" else 1.0
    return options


def run_program(options, weights, images, labels):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        safetensors_file.write(folder / "weights.safetensors", weights)
        safetensors_file.write(folder / "batch.safetensors", {"images": images, "labels": labels})
        command = [options.program, "step", "--policy", options.policy, "--device", options.device]
        command += ["--weights", str(folder / "weights.safetensors"), "--batch", str(folder / "batch.safetensors")]
        command += ["--output", str(folder / "output.safetensors")]
        if options.loss_scale != 1:
            command += ["--loss-scale", str(options.loss_scale)]
        subprocess.run(command, check=True)
        return safetensors_file.read(folder / "output.safetensors")


def main():
    options = arguments()
    weights, images, labels = convnet.draw_case(options.seed, options.batch, options.size)
    expected, nearest = convnet.training_step(weights, images, labels, options.policy, options.loss_scale)
    got = run_program(options, weights, images, labels)
    print("nearest pre-activation to each ReLU's kink:", " ".join(f"{value:.1e}" for value in nearest))
    worst = 0.0
    for name, value in expected.items():
        error = relative_l2(got[name], np.asarray(value))
        if not name.startswith("updated/"):
            worst = max(worst, error)
        print(f"{error:10.2e}  {name}")
    missing = sorted(set(got) - set(expected) - {"gradients_finite"})
    if missing:
        print("not known to PyTorch:", ", ".join(missing))
    return 1 if options.policy == "float32" and worst > options.limit else 0


if __name__ == "__main__":
    sys.exit(main())
