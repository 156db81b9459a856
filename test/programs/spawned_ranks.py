"""DistributedDataParallel in two processes that torch.multiprocessing spawns."""

import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel

# torch 2.13 may hang where a DDP model goes out of scope right after a step: this one lives as long as its process.
kept = []


def worker(rank, world_size, store):
    dist.init_process_group("gloo", rank=rank, world_size=world_size, init_method=f"file://{store}")
    torch.manual_seed(rank)
    model = DistributedDataParallel(nn.Linear(16, 4))
    kept.append(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(20):  # figure: loop
        x, y = torch.randn(8, 16), torch.randn(8, 4)  # figure: data loading
        output = model(x)  # figure: forward
        loss = nn.functional.mse_loss(output, y)  # figure: loss
        optimizer.zero_grad()
        loss.backward()  # figure: backward
        optimizer.step()  # figure: optimizer
    print(f"rank {rank}: loss {loss.item():.6f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    store = os.path.join(tempfile.mkdtemp(), "store")
    mp.spawn(worker, args=(2, store), nprocs=2)
