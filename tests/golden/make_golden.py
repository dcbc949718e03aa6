#!/usr/bin/python3
"""Writes the golden files of the numerics tests: one training step of the convnet by PyTorch in float64.

    /usr/bin/python3 tests/golden/make_golden.py        (Debian: python3-torch)

A file keeps no weights and no batch, only the seed that both sides draw them from, and of large arrays every n-th
element. Seeds are chosen so that no pre-activation lies so near ReLU's kink that float32 could take the other side. At
256x256 that is possible for the last ReLU only: of the others some always do.
"""
import pathlib
import platform

import numpy as np
import torch

import convnet

FOLDER = pathlib.Path(__file__).parent
# name, batch, image size, least distance from the kink for each ReLU
CASES = [
    ("step_32x32", 2, 32, (2e-5, 2e-5, 2e-5)),
    ("step_36x36", 3, 36, (2e-5, 2e-5, 2e-5)),
    ("step_256x256", 2, 256, (0.0, 0.0, 1e-5)),
]
# Of large arrays every n-th element is kept; prime and above 11: every row, column, channel and filter is among them.
STRIDES = {"conv2d_1/kernel": 13, "conv2d_2/kernel": 37}


def find_case(batch, size, least_distances):
    seed = 1
    while True:
        weights, images, labels = convnet.draw_case(seed, batch, size)
        with torch.no_grad():
            tensors = {name: torch.tensor(value, dtype=torch.float64) for name, value in weights.items()}
            batch_images = torch.tensor(images, dtype=torch.float64)
            nearest = convnet.forward(tensors, batch_images, torch.tensor(labels))[3]
        if all(got > least for got, least in zip(nearest, least_distances)):
            return seed, weights, images, labels
        seed += 1


def kept(name, array):
    if name in ("loss", "logits"):
        return np.atleast_1d(array.astype(np.float64))
    stride = STRIDES.get(name.split("/", 1)[1], 1)
    return (array.reshape(-1)[::stride] if stride > 1 else array).astype(np.float32)


def main():
    torch.set_num_threads(2)
    for name, batch, size, least_distances in CASES:
        seed, weights, images, labels = find_case(batch, size, least_distances)
        result, nearest = convnet.training_step(weights, images, labels)
        arrays = {key: kept(key, value) for key, value in result.items()}
        about = {
            "seed": seed,
            "batch": batch,
            "size": size,
            "nearest_to_kink": " ".join(f"{value:.3g}" for value in nearest),
            "python": platform.python_version(),
            "torch": torch.__version__,
            "numpy": np.__version__,
        }
        about.update({f"stride/{key}": value for key, value in STRIDES.items()})
        path = FOLDER / f"{name}.safetensors"
        convnet.write_safetensors(path, arrays, about)
        print(f"{path.name}: seed {seed}, loss {float(result['loss']):.6f}, nearest to kink {about['nearest_to_kink']},"
              f" {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
