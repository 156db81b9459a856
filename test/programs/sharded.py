"""FSDP2: each layer's parameters are sharded over the ranks that torchrun starts."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def main():
    dist.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    for layer in model:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for step in range(20):  # figure: loop
        x = torch.randn(8, 16)  # figure: data loading
        loss = model(x).square().mean()  # figure: forward, loss
        loss.backward()  # figure: backward
        optimizer.step()  # figure: optimizer
        optimizer.zero_grad()
    print(f"rank {dist.get_rank()}: loss {loss.item():.6f}", flush=True)
    dist.destroy_process_group()


main()
