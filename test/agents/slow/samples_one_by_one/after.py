"""Samples one by one, after the change."""

import torch

torch.manual_seed(0)
torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1)).eval()
inputs = torch.randn(6_000, 16)
with torch.no_grad():
    outputs = torch.cat([model(some) for some in inputs.split(500)])
print(f"{outputs.sum().item():.2f}")
