"""Hogwild: processes that train one model in shared memory without locks."""

import torch
import torch.multiprocessing as mp
from torch import nn


def train(rank, model):
    torch.manual_seed(rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(20):  # figure: loop
        data, target = torch.randn(8, 16), torch.randint(0, 4, (8,))  # figure: data loading
        optimizer.zero_grad()
        output = model(data)  # figure: forward
        loss = nn.functional.cross_entropy(output, target)  # figure: loss
        loss.backward()  # figure: backward
        optimizer.step()  # figure: optimizer


if __name__ == "__main__":
    torch.manual_seed(1)
    mp.set_start_method("spawn")
    model = nn.Linear(16, 4)
    model.share_memory()
    processes = [mp.Process(target=train, args=(rank, model)) for rank in range(2)]
    for p in processes:
        p.start()
    for p in processes:
        p.join()
    print("trained")
