"""JAX: the whole step in one jax.jit that donates its state, NHWC; mixed by computing in bfloat16 from float32 weights."""
import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp

import worker


def convolve(x, kernel, bias):
    y = jax.lax.conv_general_dilated(x, kernel, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jax.nn.relu(y + bias)


def normalize(x, gamma, beta):
    """(y, mean, variance), statistics in float32."""
    wide = x.astype(jnp.float32)
    mean, variance = wide.mean((0, 1, 2)), wide.var((0, 1, 2))
    y = (wide - mean) * jax.lax.rsqrt(variance + worker.EPSILON) * gamma + beta
    return y.astype(x.dtype), mean, variance


def loss_of(trained, moving, images, labels, dtype):
    """Loss and the new moving averages."""
    x = (images.astype(jnp.float32) / 255).astype(dtype)
    averages = {}
    for suffix, _ in worker.CONVOLUTIONS:
        x = convolve(x, trained[f"conv2d{suffix}/kernel"].astype(dtype), trained[f"conv2d{suffix}/bias"].astype(dtype))
        layer = f"batch_normalization{suffix}"
        x, mean, variance = normalize(x, trained[f"{layer}/gamma"], trained[f"{layer}/beta"])
        for name, value in (("moving_mean", mean), ("moving_variance", variance)):
            old = moving[f"{layer}/{name}"]
            averages[f"{layer}/{name}"] = old * worker.MOMENTUM + value * (1 - worker.MOMENTUM)
    pooled = x.astype(jnp.float32).mean((1, 2)).astype(dtype)
    logits = pooled @ trained["dense/kernel"].astype(dtype) + trained["dense/bias"].astype(dtype)
    logarithms = jax.nn.log_softmax(logits.astype(jnp.float32))
    return -jnp.take_along_axis(logarithms, labels[:, None], 1).mean(), averages


def adam(trained, gradients, first, second, iteration):
    rate = worker.LEARNING_RATE * jnp.sqrt(1 - 0.999**iteration) / (1 - 0.9**iteration)
    first = jax.tree.map(lambda m, g: m + (g - m) * 0.1, first, gradients)
    second = jax.tree.map(lambda v, g: v + (g * g - v) * 0.001, second, gradients)
    trained = jax.tree.map(lambda w, m, v: w - rate * m / (jnp.sqrt(v) + worker.ADAM_EPSILON), trained, first, second)
    return trained, first, second


def make_step(arguments, weights, images, labels):
    dtype = {"float32": jnp.float32, "mixed_bfloat16": jnp.bfloat16}.get(arguments.policy)
    if dtype is None:
        raise ValueError("JAX has no loss scaling of its own: mixed_float16 is left out")
    moving = {name: jnp.array(value) for name, value in weights.items() if "/moving_" in name}
    trained = {name: jnp.array(value) for name, value in weights.items() if name not in moving}
    pictures, targets = jnp.array(images), jnp.array(labels)

    def train(state, pictures, targets):
        trained, moving, first, second, iteration = state
        (loss, moving), gradients = jax.value_and_grad(loss_of, has_aux=True)(trained, moving, pictures, targets, dtype)
        trained, first, second = adam(trained, gradients, first, second, iteration)
        return (trained, moving, first, second, iteration + 1), loss

    compiled = jax.jit(train, donate_argnums=0)
    zeros = [jax.tree.map(jnp.zeros_like, trained) for _ in range(2)]
    state = (trained, moving, *zeros, jnp.float32(1))

    def step():
        nonlocal state
        state, loss = compiled(state, pictures, targets)
        jax.block_until_ready(state)
        return float(loss)

    return f"JAX {jax.__version__} {arguments.mode}", step


worker.serve(make_step)
