"""Training in a thread of its own, while the main thread shows the losses that a queue hands over."""

import queue
import threading

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters())
losses = queue.Queue()


def train():
    for _ in range(20):  # figure: loop
        x = torch.randn(8, 8)  # figure: data
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()  # figure: forward, loss
        optimizer.zero_grad()  # figure: optimizer
        loss.backward()  # figure: backward
        optimizer.step()  # figure: optimizer
        losses.put(loss.item())
    losses.put(None)


thread = threading.Thread(target=train, daemon=True)
thread.start()
while (loss := losses.get()) is not None:
    print(loss)
thread.join()
