"""An engine of events, as ignite has: handlers train, evaluate every five steps, and keep the best weights."""

import collections
import copy

import torch
from torch import nn


class Engine:
    def __init__(self, process):
        self.process, self.handlers, self.iteration, self.output = process, collections.defaultdict(list), 0, None

    def on(self, event, every=1):
        def add(handler):
            self.handlers[event].append((every, handler))
            return handler

        return add

    def fire(self, event):
        for every, handler in self.handlers[event]:
            if self.iteration % every == 0:
                handler(self)

    def run(self, data):
        self.fire("started")
        for batch in data:  # figure: loop
            self.iteration += 1
            self.output = self.process(self, batch)  # figure: call
            self.fire("iteration")
        self.fire("completed")
        return self


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 1))
optimizer = torch.optim.NAdam(model.parameters())
criterion = nn.HuberLoss()
train_data = [(torch.randn(8, 5), torch.randn(8, 1)) for _ in range(25)]
test_data = train_data[:4]
best = {"loss": float("inf"), "weights": None}


def update(engine, batch):
    model.train()
    x, y = batch
    optimizer.zero_grad()  # figure: optimizer
    loss = criterion(model(x), y)  # figure: forward, loss
    loss.backward()  # figure: backward
    optimizer.step()  # figure: optimizer
    return loss.item()


def measure(engine, batch):
    model.eval()
    with torch.inference_mode():
        return criterion(model(batch[0]), batch[1]).item()


trainer, tester = Engine(update), Engine(measure)


@tester.on("iteration")
def keep(engine):
    if engine.output < best["loss"]:
        best.update(loss=engine.output, weights=copy.deepcopy(model.state_dict()))


@trainer.on("started")
@trainer.on("iteration", every=5)
def evaluate(engine):
    print("best of test", tester.run(test_data).output, best["loss"])


@trainer.on("iteration")
def log(engine):
    print(engine.iteration, engine.output)


trainer.run(train_data)
