"""Training inside of asyncio, with a queue that another task fills."""

import asyncio

import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(10, 30), nn.SiLU(), nn.Linear(30, 10))
        self.optimizer = torch.optim.Adagrad(self.model.parameters())

    def learn(self, batch):
        output = self.model(batch)  # figure: forward
        loss = (output - batch).abs().mean()  # figure: loss
        self.optimizer.zero_grad()  # figure: optimizer
        loss.backward()  # figure: backward
        self.optimizer.step()  # figure: optimizer
        return loss.item()

    async def run(self, queue):
        while (batch := await queue.get()) is not None:  # figure: loop
            print(self.learn(batch))  # figure: call
            await asyncio.sleep(0)


async def produce(queue):
    for _ in range(20):
        await queue.put(torch.randn(4, 10))
    await queue.put(None)


async def main():
    torch.manual_seed(0)
    queue = asyncio.Queue(2)
    await asyncio.gather(Trainer().run(queue), produce(queue))


asyncio.run(main())
