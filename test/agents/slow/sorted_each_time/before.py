"""Sorted each time, before the change."""

import torch

torch.manual_seed(0)
torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
inputs, targets = torch.randn(128, 32), torch.randn(128, 1)
scores = torch.randn(400_000)

for step in range(20):
    errors = (model(inputs) - targets).square()
    loss = errors.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    highest = torch.sort(scores, descending=True).values[0]
    worst = torch.sort(errors[:8].flatten(), descending=True).values[0]
    doubled = torch.stack([row * 2 for row in errors[:4]])
print(f"loss {loss.item():.9f}, worst {worst.item():.6f}, doubled {doubled.sum().item():.6f}, highest {highest.item():.6f}")
