"""Gradient accumulation inside a helper class, whose context manager steps the optimizer and the schedule."""

import contextlib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Accumulator:
    def __init__(self, model, optimizer, scheduler, every):
        self.model, self.optimizer, self.scheduler, self.every = model, optimizer, scheduler, every
        self.seen = 0

    @contextlib.contextmanager
    def micro_step(self):
        yield self
        self.seen += 1
        if self.seen % self.every == 0:
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # figure: clip
            self.optimizer.step()  # figure: optimizer
            self.scheduler.step()
            self.optimizer.zero_grad(set_to_none=True)

    def backward(self, loss):
        (loss / self.every).backward()  # figure: backward


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(12, 48), nn.GELU(), nn.Linear(48, 3))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, total_steps=40)
    helper = Accumulator(model, optimizer, scheduler, every=4)
    data = TensorDataset(torch.randn(320, 12), torch.randint(0, 3, (320,)))
    for epoch in range(2):
        for x, y in DataLoader(data, batch_size=8, shuffle=True):  # figure: data, loop
            with helper.micro_step():
                logits = model(x)  # figure: forward
                loss = nn.functional.cross_entropy(logits, y)  # figure: loss
                helper.backward(loss)  # figure: backward
            print(epoch, loss.item())


if __name__ == "__main__":
    main()
