"""Quadratic search, before the change."""

import torch

torch.manual_seed(0)
torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
inputs, targets = torch.randn(128, 32), torch.randn(128, 1)
keys, wanted = torch.randint(0, 1_000_000, (3_000,)), torch.randint(0, 1_000_000, (3_000,))

for step in range(20):
    errors = (model(inputs) - targets).square()
    loss = errors.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    found = (keys[:, None] == wanted).any(1)
    worst = torch.sort(errors[:8].flatten(), descending=True).values[0]
    doubled = torch.stack([row * 2 for row in errors[:4]])
print(f"loss {loss.item():.9f}, worst {worst.item():.6f}, doubled {doubled.sum().item():.6f}, found {int(found.sum())}")
