"""DistributedDataParallel in the ranks that torchrun starts, with an evaluation after each epoch."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            nn.functional.mse_loss(model(x), y)
    model.train()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    dataset = TensorDataset(torch.randn(64, 16), torch.randn(64, 4))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    model = DistributedDataParallel(nn.Linear(16, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for x, y in loader:  # figure: loop, data loading
            output = model(x)  # figure: forward
            loss = nn.functional.mse_loss(output, y)  # figure: loss
            optimizer.zero_grad()
            loss.backward()  # figure: backward
            optimizer.step()  # figure: optimizer
        evaluate(model, loader)
    print(f"rank {dist.get_rank()}: loss {loss.item():.6f}", flush=True)
    dist.destroy_process_group()


main()
