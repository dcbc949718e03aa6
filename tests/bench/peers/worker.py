"""What the peers in Python share: their arguments, the batch and weights that all start from, and the answering of steps.

A peer is a process that prints one line "ready ..." or "failed ...", and then answers every line "step" on its input
with "<milliseconds> <processor milliseconds> <loss>". Everything else that it or its libraries print goes to the standard error.
"""
import argparse
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "golden"))

CONVOLUTIONS = [("", 5), ("_1", 7), ("_2", 11)]  # suffix of the layer's name, kernel size
MOMENTUM = 0.99
EPSILON = 1e-3
LEARNING_RATE = 1e-3
ADAM_EPSILON = 1e-7


def same_padding(size, kernel, stride=2):
    """Keras' "same": what comes before and after, the smaller half before."""
    total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
    return total // 2, total - total // 2


def read_start(folder):
    """(weights by Keras' names in float32, images uint8 [N, H, W, 3], labels int64 [N])."""
    import numpy as np
    import safetensors_file

    folder = pathlib.Path(folder)
    weights = safetensors_file.read(folder / "weights.safetensors")
    batch = safetensors_file.read(folder / "batch.safetensors")
    return ({name: np.array(value) for name, value in weights.items()}, batch["images"].astype(np.uint8),
            np.array(batch["labels"]))


def serve(make_step):
    """make_step(arguments, weights, images, labels) gives (description, step); step() makes one training step from
    uint8 images to updated weights and returns the loss as a number."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--policy", required=True)
    parser.add_argument("--mode", required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--start", required=True, help="folder with weights.safetensors and batch.safetensors")
    arguments = parser.parse_args()

    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # libraries that print must not disturb the answers
    try:
        description, step = make_step(arguments, *read_start(arguments.start))
        answers.write(f"ready {description}\n")
        for line in sys.stdin:
            if line.strip() != "step":
                break
            wall, processor = time.perf_counter(), time.process_time()
            loss = step()
            wall, processor = time.perf_counter() - wall, time.process_time() - processor
            answers.write(f"{wall * 1e3:.4f} {processor * 1e3:.4f} {loss:.9g}\n")
    except Exception as error:  # whatever a framework throws becomes one line; the peer is left out
        answers.write(f"failed {type(error).__name__}: {' '.join(str(error).split())[:300]}\n")
        raise
