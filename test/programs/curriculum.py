"""A curriculum: stages with loaders of their own, mixed by a sampler, and a frozen part that thaws."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, IterableDataset


class Easy(Dataset):
    def __len__(self):
        return 24

    def __getitem__(self, at):
        x = torch.full((8,), float(at))
        return x, torch.tensor(at % 2)


class Hard(IterableDataset):
    def __iter__(self):
        source = torch.Generator().manual_seed(1)
        for _ in range(40):
            x = torch.randn(8, generator=source)
            yield x, (x.sum() > 0).long()


def forever(loader):
    while True:
        yield from loader


def train_stage(model, optimizer, streams, weights, steps, chance):
    for _ in range(steps):  # figure: loop
        (stream,) = chance.choices(streams, weights)
        x, y = next(stream)  # figure: data
        loss = nn.functional.cross_entropy(model(x), y)  # figure: forward, loss
        loss.backward()  # figure: backward
        optimizer.step()  # figure: optimizer
        optimizer.zero_grad()  # figure: optimizer
        print(loss.item())


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
streams = [forever(DataLoader(Easy(), batch_size=4)), forever(DataLoader(Hard(), batch_size=4))]
chance = random.Random(0)
for weights, frozen in (((1, 0), True), ((1, 1), False), ((0, 1), False)):
    model[0].requires_grad_(not frozen)
    wanted = [p for p in model.parameters() if p.requires_grad]
    train_stage(model, torch.optim.Adam(wanted, lr=1e-2), streams, weights, 12, chance)
