"""A step behind decorators and an ExitStack, a scheduler object that owns the loop, EMA weights and SWA."""

import contextlib
import functools

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel


def timed(function):
    @functools.wraps(function)
    def wrapper(*args, **options):
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch.enable_grad())
            return function(*args, **options)

    return wrapper


class Program:
    def __init__(self, steps):
        self.steps, self.hooks = steps, []

    def __iter__(self):
        yield from range(self.steps)

    def __call__(self, step):
        for i in self:  # figure: loop
            result = step(i)  # figure: call
            for hook in self.hooks:
                hook(i, result)


torch.manual_seed(0)
model = nn.Sequential(nn.Conv1d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(24, 1))
ema = AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9))
optimizer = torch.optim.AdamW(model.parameters())
scaler = torch.amp.GradScaler("cpu")


@timed
def step(i):
    x = torch.randn(4, 1, 8)  # figure: data
    loss = model(x).mean().square()  # figure: forward, loss
    scaler.scale(loss).backward()  # figure: backward
    scaler.step(optimizer)  # figure: optimizer
    scaler.update()
    optimizer.zero_grad()
    return loss


program = Program(24)
program.hooks.append(lambda i, loss: ema.update_parameters(model))
program.hooks.append(lambda i, loss: print(i, loss.item()))
program(step)
