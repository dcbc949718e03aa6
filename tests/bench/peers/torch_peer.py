"""PyTorch: channels_last, oneDNN on, fused Adam; eager or torch.compile; mixed by torch.autocast on the CPU."""
import os

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")  # its helpers would be processes that nobody stops

import torch
import torch.nn.functional as F
from torch import nn

import worker


class SameConv(nn.Conv2d):
    """Stride 2 with Keras' padding, which is asymmetric; PyTorch has none for strides, so the input is padded."""

    def forward(self, x):
        top, bottom = worker.same_padding(x.shape[2], self.kernel_size[0])
        left, right = worker.same_padding(x.shape[3], self.kernel_size[1])
        return super().forward(F.pad(x, (left, right, top, bottom)))


def make_network(weights):
    layers = []
    for suffix, size in worker.CONVOLUTIONS:
        kernel = torch.from_numpy(weights[f"conv2d{suffix}/kernel"]).permute(3, 2, 0, 1)
        convolution = SameConv(kernel.shape[1], kernel.shape[0], size, stride=2)
        norm = nn.BatchNorm2d(kernel.shape[0], eps=worker.EPSILON, momentum=1 - worker.MOMENTUM)
        with torch.no_grad():
            convolution.weight.copy_(kernel)
            convolution.bias.copy_(torch.from_numpy(weights[f"conv2d{suffix}/bias"]))
            norm.weight.copy_(torch.from_numpy(weights[f"batch_normalization{suffix}/gamma"]))
            norm.bias.copy_(torch.from_numpy(weights[f"batch_normalization{suffix}/beta"]))
        layers += [convolution, nn.ReLU(), norm]
    dense = nn.Linear(128, 10)
    with torch.no_grad():
        dense.weight.copy_(torch.from_numpy(weights["dense/kernel"]).T)
        dense.bias.copy_(torch.from_numpy(weights["dense/bias"]))
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), dense).to(memory_format=torch.channels_last)


def make_step(arguments, weights, images, labels):
    torch.set_num_threads(arguments.threads)
    network = make_network(weights).train()
    dtype = {"float32": None, "mixed_bfloat16": torch.bfloat16, "mixed_float16": torch.float16}[arguments.policy]
    optimizer = torch.optim.Adam(network.parameters(), lr=worker.LEARNING_RATE, eps=worker.ADAM_EPSILON, fused=True)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**15, enabled=dtype == torch.float16)
    pictures = torch.from_numpy(images).permute(0, 3, 1, 2)  # [N, C, H, W] over NHWC memory: channels_last
    targets = torch.from_numpy(labels)

    def loss_of(batch):
        with torch.autocast("cpu", dtype=dtype, enabled=dtype is not None):
            logits = network(batch.float() / 255)
        return F.cross_entropy(logits.float(), targets)

    if arguments.mode == "compile":
        loss_of = torch.compile(loss_of)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(pictures)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        return loss.item()

    onednn = "oneDNN on" if torch.backends.mkldnn.is_available() else "no oneDNN"
    return f"PyTorch {torch.__version__} {arguments.mode}, {onednn}", step


worker.serve(make_step)
