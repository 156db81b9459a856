"""An optimizer that is no torch.optim.Optimizer, autocast, checkpointed blocks, and a loader with workers."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, Dataset


class Lion:
    def __init__(self, parameters, lr=1e-3):
        self.parameters, self.lr = list(parameters), lr
        self.moments = [torch.zeros_like(p) for p in self.parameters]

    @torch.no_grad()
    def step(self):
        for p, m in zip(self.parameters, self.moments):
            m.lerp_(p.grad, 0.1)  # figure: optimizer
            p.sub_(m.sign(), alpha=self.lr)  # figure: optimizer

    def zero_grad(self):
        for p in self.parameters:
            p.grad = None


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.a, self.b = nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.b(torch.relu(self.a(self.norm(x))))  # figure: forward


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block(16) for _ in range(3))
        self.out = nn.Linear(16, 4)

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)  # figure: forward
        return self.out(x)  # figure: forward


class Points(Dataset):
    def __len__(self):
        return 160

    def __getitem__(self, at):
        return torch.full((16,), at / 160), at % 4


def collate(items):
    return torch.stack([x for x, _ in items]), torch.tensor([y for _, y in items])


def main():
    torch.manual_seed(0)
    net = Net()
    optimizer = Lion(net.parameters())
    loader = DataLoader(Points(), batch_size=8, num_workers=2, collate_fn=collate)
    for x, y in loader:  # figure: data, loop
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(net(x), y)  # figure: forward, loss
        loss.backward()  # figure: backward
        optimizer.step()  # figure: optimizer
        optimizer.zero_grad()
        print(loss.item())


if __name__ == "__main__":
    main()
