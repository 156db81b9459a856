"""Batch prepared twice, after the change."""

import torch

torch.manual_seed(0)
torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
inputs, targets = torch.randn(128, 32), torch.randn(128, 1)
images = torch.randn(128, 3, 64, 64)

for step in range(20):
    blurred = torch.nn.functional.avg_pool2d(images, 5, 1, 2)
    errors = (model(inputs) - targets).square()
    loss = errors.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    worst = torch.sort(errors[:8].flatten(), descending=True).values[0]
    doubled = torch.stack([row * 2 for row in errors[:4]])
print(f"loss {loss.item():.9f}, worst {worst.item():.6f}, doubled {doubled.sum().item():.6f}, blurred {blurred.mean().item():.6f}")
