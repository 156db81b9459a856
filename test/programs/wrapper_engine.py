"""An engine object that holds model and optimizer, as DeepSpeed and accelerate have: the script asks it for all."""

import torch
from torch import nn


class Engine:
    def __init__(self, module, optimizer, clip=1.0):
        self.module, self.optimizer, self.clip = module, optimizer, clip

    def __call__(self, *inputs):
        return self.module(*inputs)

    def __getattr__(self, name):
        return getattr(self.module, name)

    def backward(self, loss):
        loss.backward()  # figure: backward
        return loss

    def step(self):
        nn.utils.clip_grad_norm_(self.module.parameters(), self.clip)  # figure: clip
        self.optimizer.step()  # figure: optimizer
        self.optimizer.zero_grad()


class Prefetched:
    """An iterable that hands out batches one ahead."""

    def __init__(self, batches):
        self.batches = batches

    def __iter__(self):
        ahead = None
        for batch in self.batches:
            batch = batch.to(torch.float32)
            if ahead is not None:
                yield ahead
            ahead = batch
        yield ahead


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.GRU(6, 24, batch_first=True)
        self.decoder = nn.Linear(24, 6)

    def forward(self, x):
        encoded, _ = self.encoder(x)  # figure: forward
        return self.decoder(encoded)  # figure: forward


def prepare(model):
    return Engine(model, torch.optim.RMSprop(model.parameters(), lr=1e-3))


def run(engine, batches):
    total = 0.0
    for i, batch in enumerate(Prefetched(batches)):  # figure: loop
        prediction = engine(batch[:, :-1])  # figure: forward
        loss = (prediction - batch[:, 1:]).pow(2).mean()  # figure: loss
        engine.backward(loss)  # figure: backward
        engine.step()  # figure: optimizer
        total += loss.item()
        print(i, loss.item())
    return total


torch.manual_seed(0)
engine = prepare(Model())
print(run(engine, [torch.randn(4, 9, 6, dtype=torch.float64) for _ in range(20)]))
