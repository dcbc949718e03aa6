"""The article's convnet in PyTorch, with Keras' layouts, paddings and Adam; and the random case that tests draw.

Needs only Debian's python3-torch (numpy and torch). Arrays have Keras' names and layouts outside, PyTorch's inside.
"""
import numpy as np
import torch
import torch.nn.functional as F

import number_formats

BATCH_NORM_EPSILON = 0.001
MOMENTUM = 0.99
CONVOLUTIONS = [("", 5, 3, 32), ("_1", 7, 32, 64), ("_2", 11, 64, 128)]  # suffix, kernel size, channels, filters
COMPUTE_DTYPES = {"float32": None, "mixed_float16": "float16", "mixed_bfloat16": "bfloat16"}


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


def draw_clear_case(seed, batch, size):
    """Like draw_case, but every pre-activation is far from ReLU's kink: tests/support's drawClearCase.

    Pictures are bright and dark in turn. Of a kernel only the signs are set: positive where input channel and filter
    are both even or both odd, so that even filters answer to bright pictures and odd ones to dark pictures, by far.
    Of each kind two shades take turns: with one, batch normalization would cancel the gradients before it.
    """
    weights, images, labels = draw_case(seed, batch, size)
    for suffix, _, channels, filters in CONVOLUTIONS:
        filter_signs = 1.0 - 2.0 * (np.arange(filters) % 2)
        channel_signs = np.ones(channels) if suffix == "" else 1.0 - 2.0 * (np.arange(channels) % 2)
        kernel = np.abs(weights[f"conv2d{suffix}/kernel"])
        weights[f"conv2d{suffix}/kernel"] = (kernel * np.outer(channel_signs, filter_signs)).astype(np.float32)
        if suffix == "":
            weights["conv2d/bias"] = (weights["conv2d/bias"] - 0.6 * filter_signs).astype(np.float32)
    shade = np.arange(batch) % 4
    darkest = np.array([0.9, 0.0, 0.8, 0.08])[shade][:, None, None, None]
    contrast = np.array([0.1, 0.02, 0.1, 0.04])[shade][:, None, None, None]
    return weights, (images.astype(np.float64) * contrast + darkest).astype(np.float32), labels


class Policy:
    """What memory does to a tensor: nothing under float32, whose reference is float64, else one rounding."""

    def __init__(self, name, noise=None):
        """`noise`, a numpy generator, moves the results of sums by about the error that they have in float32, before
        they are rounded: what then changes much, float32 cannot be held to."""
        self.dtype = COMPUTE_DTYPES[name]
        self.noise = noise

    def store(self, x):
        values = x.numpy()
        return torch.from_numpy(values.copy() if self.dtype is None else number_formats.round_to(self.dtype, values))

    def store_sum(self, x):
        if self.noise is not None:
            values = x.numpy()
            error = 2e-7 * np.sqrt(np.mean(values**2)) * self.noise.standard_normal(values.shape)
            x = torch.from_numpy(values + np.where(values != 0, error, 0.0))
        return self.store(x)


class Stored(torch.autograd.Function):
    """The result of an operation as the policy stores it; its gradient is stored on the way back."""

    @staticmethod
    def forward(context, x, policy):
        context.policy = policy
        return policy.store_sum(x)

    @staticmethod
    def backward(context, gradient):
        return context.policy.store_sum(gradient), None


class StoredRelu(Stored):
    """The same after ReLU, whose gradient goes by the stored value, as the engine's does."""

    @staticmethod
    def forward(context, x, policy):
        context.policy = policy
        y = policy.store_sum(x.clamp(min=0))
        context.save_for_backward(y)
        return y

    @staticmethod
    def backward(context, gradient):
        (y,) = context.saved_tensors
        return torch.where(y > 0, context.policy.store_sum(gradient), torch.zeros_like(gradient)), None


class WeightCopy(Stored):
    """A kernel or bias rounded before use."""

    @staticmethod
    def forward(context, x, policy):
        context.policy = policy
        return policy.store(x)


def pad_same(x, kernel_size, stride):
    """Keras' padding "same": the smaller half of the total padding comes before."""
    pads = []
    for size in (x.shape[3], x.shape[2]):  # F.pad counts from the last dimension
        out = -(-size // stride)
        total = max((out - 1) * stride + kernel_size - size, 0)
        pads += [total // 2, total - total // 2]
    return F.pad(x, pads)


def forward(tensors, images, labels, policy):
    """Loss, logits, batch statistics by layer, and of each ReLU the smallest |pre-activation|; all sums in float64.

    A mixed policy rounds images, kernels and biases before use, then the output of each operation, and the gradients
    of all of those. Batch statistics, gamma, beta, softmax and loss stay exact.
    """
    variable = {name: WeightCopy.apply(value, policy) for name, value in tensors.items() if "batch_norm" not in name}
    x = policy.store(images.permute(0, 3, 1, 2))
    statistics, nearest = {}, []
    for suffix, size, _, _ in CONVOLUTIONS:
        kernel = variable[f"conv2d{suffix}/kernel"].permute(3, 2, 0, 1)
        x = F.conv2d(pad_same(x, size, 2), kernel, variable[f"conv2d{suffix}/bias"], stride=2)
        nearest.append(x.detach().abs().min().item())
        x = StoredRelu.apply(x, policy)
        layer = f"batch_normalization{suffix}"
        mean = x.mean(dim=(0, 2, 3))
        variance = x.var(dim=(0, 2, 3), unbiased=False)
        statistics[layer] = (mean.detach(), variance.detach())
        gamma, beta = tensors[f"{layer}/gamma"], tensors[f"{layer}/beta"]
        x = Stored.apply(F.batch_norm(x, None, None, gamma, beta, training=True, eps=BATCH_NORM_EPSILON), policy)
    pooled = Stored.apply(x.mean(dim=(2, 3)), policy)
    logits = Stored.apply(pooled @ variable["dense/kernel"] + variable["dense/bias"], policy)
    return F.cross_entropy(logits, labels), logits, statistics, nearest


def gradients(weights, images, labels, policy="float32", loss_scale=1.0, noise=None):
    """Loss, logits, gradients (unscaled) of the trainable variables by name, and forward's statistics and nearest."""
    policy = Policy(policy, noise)
    tensors = {name: torch.tensor(value, dtype=torch.float64) for name, value in weights.items()}
    trainable = [name for name in tensors if "moving" not in name]
    for name in trainable:
        tensors[name].requires_grad_(True)
    images = torch.tensor(images, dtype=torch.float64)
    loss, logits, statistics, nearest = forward(tensors, images, torch.tensor(labels), policy)
    (loss * loss_scale).backward()
    found = {}
    for name in trainable:
        gradient = tensors[name].grad
        if "batch_norm" in name:
            gradient = policy.store_sum(gradient)  # gamma and beta are used as they are, but their gradients are stored
        found[name] = gradient / loss_scale
    return loss.item(), logits.detach(), found, statistics, nearest


def adam(weight, gradient, moments, iteration, learning_rate=0.001):
    """Keras' Adam; `moments` [m, v] are moved in place, the new weight is returned."""
    m, v = moments
    m += (gradient - m) * (1 - 0.9)
    v += (gradient**2 - v) * (1 - 0.999)
    alpha = learning_rate * np.sqrt(1 - 0.999**iteration) / (1 - 0.9**iteration)
    return weight - alpha * m / (np.sqrt(v) + 1e-7)


def training_step(weights, images, labels, policy="float32", loss_scale=1.0):
    """One step in float64 with Keras' Adam and moving averages.

    Gives "loss", "logits", "gradient/<name>", "updated/<name>" as numpy arrays, and of each ReLU the smallest
    |pre-activation|.
    """
    loss, logits, found, statistics, nearest = gradients(weights, images, labels, policy, loss_scale)
    result = {"loss": np.float64(loss), "logits": logits.numpy()}
    for name, gradient in found.items():
        result[f"gradient/{name}"] = gradient.numpy()
        moments = [np.zeros(gradient.shape), np.zeros(gradient.shape)]
        result[f"updated/{name}"] = adam(weights[name].astype(np.float64), gradient.numpy(), moments, 1)
    for name, batch in statistics.items():
        for kind, value in zip(("moving_mean", "moving_variance"), batch):
            moving = weights[f"{name}/{kind}"].astype(np.float64)
            result[f"updated/{name}/{kind}"] = moving * MOMENTUM + value.numpy() * (1 - MOMENTUM)
    return result, nearest
