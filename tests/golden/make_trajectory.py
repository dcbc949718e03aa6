#!/usr/bin/python3
"""Writes trajectory_28x28.csv: the loss of each of 50 training steps of the convnet by PyTorch, all sums in float64.

    /usr/bin/python3 tests/golden/make_trajectory.py [--noise SEED]        (Debian: python3-torch)

64 drawn pictures of 10 classes (28, 14, 7, 4 pixels: odd sizes inside) in batches of 8, Keras' Adam with learning rate
1e-4 (with 1e-3 the losses swing so that float32's error grows to percents); under float32, and under the mixed
policies with their roundings and a loss scale of 1024 (mixed_float16). With --noise it writes nothing, but says how far
the losses move when float32's error is added to every sum: what the engine cannot be expected to keep within.
"""
import argparse
import csv
import pathlib

import numpy as np
import torch

import convnet

FOLDER = pathlib.Path(__file__).parent
SEED, SIZE, PICTURES, BATCH, STEPS, LEARNING_RATE = 3, 28, 64, 8, 50, 1e-4
LOSS_SCALES = {"float32": 1.0, "mixed_float16": 1024.0, "mixed_bfloat16": 1.0}


def draw_set():
    """Weights, images [PICTURES, SIZE, SIZE, 3], labels; the same as drawTrajectorySet in the tests draws. Classes
    differ by their brightness."""
    numbers = convnet.RandomNumbers(SEED)
    weights = {name: convnet.draw_variable(name, shape, numbers) for name, shape in convnet.variables()}
    labels = np.arange(PICTURES) % 10
    images = [numbers.array((SIZE, SIZE, 3), 0.05 * label, 0.05 * label + 0.5) for label in labels]
    return weights, np.stack(images), labels.astype(np.int64)


def train(policy, noise=None):
    weights, images, labels = draw_set()
    weights = {name: value.astype(np.float64) for name, value in weights.items()}
    moments = {name: [np.zeros(value.shape), np.zeros(value.shape)] for name, value in weights.items()}
    losses = []
    for step in range(STEPS):
        batch = (np.arange(BATCH) + step * BATCH) % PICTURES
        pictures = images[batch], labels[batch]
        loss, _, found, _, _ = convnet.gradients(weights, *pictures, policy, LOSS_SCALES[policy], noise)
        for name, gradient in found.items():
            weights[name] = convnet.adam(weights[name], gradient.numpy(), moments[name], step + 1, LEARNING_RATE)
        losses.append(loss)
    return losses


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--noise", type=int, metavar="SEED")
    options = parser.parse_args()
    torch.set_num_threads(2)
    losses = {policy: train(policy) for policy in LOSS_SCALES}
    if options.noise is not None:
        for policy, exact in losses.items():
            moved = train(policy, np.random.default_rng(options.noise))
            errors = [abs(a - b) for a, b in zip(moved, exact)]
            print(f"{policy}: at most {max(errors):.1e}, at step {1 + int(np.argmax(errors))}")
        return
    with open(FOLDER / "trajectory_28x28.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["step", *losses])
        writer.writerows([step + 1, *row] for step, row in enumerate(zip(*losses.values())))


if __name__ == "__main__":
    main()
