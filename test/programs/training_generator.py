"""The training loop is a generator that yields its losses; who asks for them evaluates every few steps."""

import itertools

import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, x):
        hidden = torch.tanh(self.body(x))  # figure: forward
        return self.head(hidden)  # figure: forward


def batches(seed):
    source = torch.Generator().manual_seed(seed)
    while True:
        x = torch.randn(16, 8, generator=source)  # figure: data
        yield x, x.sum(1, keepdim=True)


def training(model, optimizer, data):
    for x, y in data:  # figure: data, loop
        loss = nn.functional.mse_loss(model(x), y)  # figure: forward, loss
        optimizer.zero_grad()  # figure: optimizer
        loss.backward()  # figure: backward
        optimizer.step()  # figure: optimizer
        yield loss.item()


@torch.no_grad()
def evaluate(model):
    return sum(nn.functional.mse_loss(model(x), y).item() for x, y in itertools.islice(batches(1), 3))


torch.manual_seed(0)
model = Regressor()
losses = training(model, torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9), batches(0))
for step, loss in enumerate(itertools.islice(losses, 24)):
    print(step, loss)
    if step % 8 == 0:
        print("evaluation", evaluate(model))
