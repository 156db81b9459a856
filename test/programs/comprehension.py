"""Epochs as comprehensions and map: the loop is no statement; folds with new models and optimizers each."""

import functools

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def train_step(model, optimizer, batch):
    x, y = batch
    loss = nn.functional.binary_cross_entropy_with_logits(model(x).squeeze(1), y)  # figure: forward, loss
    optimizer.zero_grad()  # figure: optimizer
    loss.backward()  # figure: backward
    optimizer.step()  # figure: optimizer
    return loss.item()


def fold(parts, held):
    model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
    step = functools.partial(train_step, model, torch.optim.Adam(model.parameters()))
    rest = [part for part in parts if part is not held]
    losses = [step(batch) for part in rest for batch in DataLoader(part, batch_size=5)]  # figure: loop, call
    model.eval()
    with torch.no_grad():
        return losses, sum(map(lambda batch: model(batch[0]).mean().item(), DataLoader(held, batch_size=5)))


torch.manual_seed(0)
data = TensorDataset(torch.randn(60, 6), torch.randint(0, 2, (60,)).float())
parts = random_split(data, [20, 20, 20], torch.Generator().manual_seed(0))
for part in parts:
    print(fold(parts, part))
