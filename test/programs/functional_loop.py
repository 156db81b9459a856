"""A loop with functions of torch, and no class for its loss."""

import torch
import torch.nn.functional as F
from torch import nn


def get_batch(n):
    x = torch.randn(n, 16)
    y = torch.randint(4, (n,))
    return x, y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(16, 32)
        self.b = nn.Linear(32, 4)

    def forward(self, x):
        return self.b(F.relu(self.a(x)))


def train(model, optimizer):
    for step in range(12):
        x, y = get_batch(8)
        optimizer.zero_grad()
        out = model(x)
        loss = F.cross_entropy(out, y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return loss


torch.manual_seed(0)
model = Net()
print(train(model, torch.optim.SGD(model.parameters(), lr=0.1)).item())
