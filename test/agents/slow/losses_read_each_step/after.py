"""Losses read each step, after the change."""

import torch

torch.manual_seed(0)
torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
inputs, targets = torch.randn(256, 64), torch.randn(256, 1)


def busy(count):
    """Takes time on the CPU, as preparing a batch does."""
    total = 0
    for number in range(count):
        total += number * number
    return total


for _step in range(20):
    loss = (model(inputs) - targets).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.9f}")
