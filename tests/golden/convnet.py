"""The article's convnet in PyTorch, with Keras' layouts, paddings and Adam; and the random case that tests draw.

Needs only Debian's python3-torch (numpy and torch). Arrays have Keras' names and layouts outside, PyTorch's inside.
"""
import json

import numpy as np
import torch
import torch.nn.functional as F

BATCH_NORM_EPSILON = 0.001
MOMENTUM = 0.99
CONVOLUTIONS = [("", 5, 3, 32), ("_1", 7, 32, 64), ("_2", 11, 64, 128)]  # suffix, kernel size, channels, filters


def variables():
    """(name, shape) of every variable, in the order in which a case draws them."""
    for suffix, size, channels, filters in CONVOLUTIONS:
        yield f"conv2d{suffix}/kernel", (size, size, channels, filters)
        yield f"conv2d{suffix}/bias", (filters,)
        for kind in ("gamma", "beta", "moving_mean", "moving_variance"):
            yield f"batch_normalization{suffix}/{kind}", (filters,)
    yield "dense/kernel", (128, 10)
    yield "dense/bias", (10,)


class RandomNumbers:
    """SplitMix64, number for number like tests/support/random_numbers.h."""

    def __init__(self, seed):
        self.state = seed

    def next(self, count):
        with np.errstate(over="ignore"):
            step = np.uint64(0x9E3779B97F4A7C15)
            z = np.uint64(self.state) + np.arange(1, count + 1, dtype=np.uint64) * step
            self.state = int(z[-1])
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            return z ^ (z >> np.uint64(31))

    def array(self, shape, low, high):
        unit = (self.next(int(np.prod(shape))) >> np.uint64(40)).astype(np.float64) * 2.0**-24
        return (low + (high - low) * unit).astype(np.float32).reshape(shape)


def draw_variable(name, shape, numbers):
    kind = name.split("/")[1]
    if kind == "kernel":
        taps = shape[0] * shape[1] if len(shape) == 4 else 1
        bound = np.sqrt(6.0 / (taps * (shape[-2] + shape[-1])))
        return numbers.array(shape, -bound, bound)
    if kind == "gamma":
        return numbers.array(shape, 0.75, 1.25)
    if kind == "moving_variance":
        return numbers.array(shape, 0.5, 1.5)
    return numbers.array(shape, -0.125, 0.125)


def draw_case(seed, batch, size):
    """Weights, images [N, H, W, 3] in 0 to 1 and labels [N]; the same as tests/support/convnet_case.cpp draws."""
    numbers = RandomNumbers(seed)
    weights = {name: draw_variable(name, shape, numbers) for name, shape in variables()}
    images = numbers.array((batch, size, size, 3), 0.0, 1.0)
    labels = (numbers.next(batch) % np.uint64(10)).astype(np.int64)
    return weights, images, labels


def pad_same(x, kernel_size, stride):
    """Keras' padding "same": the smaller half of the total padding comes before."""
    pads = []
    for size in (x.shape[3], x.shape[2]):  # F.pad counts from the last dimension
        out = -(-size // stride)
        total = max((out - 1) * stride + kernel_size - size, 0)
        pads += [total // 2, total - total // 2]
    return F.pad(x, pads)


def forward(tensors, images, labels):
    """Loss, logits, batch statistics by layer, and of each ReLU the smallest |pre-activation|."""
    x = images.permute(0, 3, 1, 2)
    statistics, nearest = {}, []
    for suffix, size, _, _ in CONVOLUTIONS:
        kernel = tensors[f"conv2d{suffix}/kernel"].permute(3, 2, 0, 1)
        x = F.conv2d(pad_same(x, size, 2), kernel, tensors[f"conv2d{suffix}/bias"], stride=2)
        nearest.append(x.detach().abs().min().item())
        x = F.relu(x)
        name = f"batch_normalization{suffix}"
        mean = x.mean(dim=(0, 2, 3))
        variance = x.var(dim=(0, 2, 3), unbiased=False)
        statistics[name] = (mean.detach(), variance.detach())
        gamma, beta = tensors[f"{name}/gamma"], tensors[f"{name}/beta"]
        x = F.batch_norm(x, None, None, gamma, beta, training=True, eps=BATCH_NORM_EPSILON)
    logits = x.mean(dim=(2, 3)) @ tensors["dense/kernel"] + tensors["dense/bias"]
    return F.cross_entropy(logits, labels), logits, statistics, nearest


def training_step(weights, images, labels, learning_rate=0.001, dtype=torch.float64):
    """One step with Keras' Adam and moving averages.

    Gives "loss", "logits", "gradient/<name>", "updated/<name>" as numpy arrays, and of each ReLU the smallest
    |pre-activation|.
    """
    tensors = {name: torch.tensor(value, dtype=dtype) for name, value in weights.items()}
    trainable = [name for name in tensors if "moving" not in name]
    for name in trainable:
        tensors[name].requires_grad_(True)
    images = torch.tensor(images, dtype=dtype)
    loss, logits, statistics, nearest = forward(tensors, images, torch.tensor(labels))
    loss.backward()

    result = {"loss": loss.detach().numpy(), "logits": logits.detach().numpy()}
    alpha = learning_rate * np.sqrt(1 - 0.999) / (1 - 0.9)
    for name in trainable:
        gradient = tensors[name].grad.numpy()
        m, v = (1 - 0.9) * gradient, (1 - 0.999) * gradient**2
        result[f"gradient/{name}"] = gradient
        result[f"updated/{name}"] = tensors[name].detach().numpy() - alpha * m / (np.sqrt(v) + 1e-7)
    for name, batch in statistics.items():
        for kind, value in zip(("moving_mean", "moving_variance"), batch):
            moving = tensors[f"{name}/{kind}"]
            result[f"updated/{name}/{kind}"] = (moving * MOMENTUM + value * (1 - MOMENTUM)).numpy()
    return result, nearest


SAFETENSORS_NAMES = {"float32": "F32", "float64": "F64", "int64": "I64"}


def write_safetensors(path, arrays, about=None):
    header, position = {}, 0
    if about:
        header["__metadata__"] = {name: str(value) for name, value in about.items()}
    for name, array in arrays.items():
        header[name] = {
            "dtype": SAFETENSORS_NAMES[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [position, position + array.nbytes],
        }
        position += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for array in arrays.values():
            file.write(np.ascontiguousarray(array).tobytes())


def read_safetensors(path):
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
        data = file.read()
    numpy_names = {value: key for key, value in SAFETENSORS_NAMES.items()}
    arrays = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            array = np.frombuffer(data[begin:end], dtype=numpy_names[entry["dtype"]])
            arrays[name] = array.reshape(entry["shape"])
    return arrays
