"""MAML: an inner loop by autograd.grad and functional_call, an outer optimizer; vmap over tasks at the end."""

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
outer = torch.optim.Adam(net.parameters(), lr=1e-2)


def adapted(weights, x, y, steps=2):
    for _ in range(steps):
        loss = nn.functional.mse_loss(functional_call(net, weights, x), y)  # figure: forward, loss
        slopes = torch.autograd.grad(loss, list(weights.values()), create_graph=True)  # figure: backward
        weights = {name: w - 0.1 * g for (name, w), g in zip(weights.items(), slopes)}  # figure: inner step
    return weights


for iteration in range(12):  # figure: loop
    outer.zero_grad()  # figure: optimizer
    total = 0.0
    for task in range(3):
        phase, x = torch.rand(1) * 3, torch.randn(2, 10, 1)  # figure: data
        y = torch.sin(x + phase)  # figure: data
        quick = adapted(dict(net.named_parameters()), x[0], y[0])  # figure: call
        loss = nn.functional.mse_loss(functional_call(net, quick, x[1]), y[1])  # figure: forward, loss
        (loss / 3).backward()  # figure: backward
        total += loss.item()
    outer.step()  # figure: optimizer
    print(iteration, total)

weights = {name: w.detach() for name, w in net.named_parameters()}
squared = grad(lambda w, x: functional_call(net, w, x).pow(2).sum())
slopes = vmap(squared, in_dims=(None, 0))(weights, torch.randn(5, 4, 1))
print({name: round(slope.abs().sum().item(), 6) for name, slope in slopes.items()})
