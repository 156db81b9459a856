"""Two phases: a head is warmed up for three steps with its own optimizer, then everything is trained with another."""

import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(8, 32), nn.Linear(32, 2)


def batch():
    return torch.randn(16, 8), torch.randint(0, 2, (16,))


def learn(optimizer):
    x, y = batch()  # figure: data
    loss = nn.functional.cross_entropy(head(body(x).relu()), y)  # figure: forward, loss
    optimizer.zero_grad()  # figure: optimizer
    loss.backward()  # figure: backward
    optimizer.step()  # figure: optimizer
    return loss.item()


warm = torch.optim.SGD(head.parameters(), lr=0.1)
for _ in range(3):
    print("warm", learn(warm))
optimizer = torch.optim.AdamW([*body.parameters(), *head.parameters()], lr=1e-3)
for step in range(40):  # figure: loop
    print(step, learn(optimizer))  # figure: call
