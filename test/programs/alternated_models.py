"""Two models that are trained in turn, one in even steps and one in odd ones, each with its own optimizer."""

import torch
from torch import nn

torch.manual_seed(0)
players = {name: nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 2)) for name in ("left", "right")}
optimizers = {name: torch.optim.Adam(player.parameters(), lr=1e-2) for name, player in players.items()}
names = list(players)


def teach(name, other, x):
    with torch.no_grad():
        target = players[other](x).argmax(1)  # figure: forward
    logits = players[name](x)  # figure: forward
    loss = nn.functional.cross_entropy(logits, target)  # figure: loss
    optimizers[name].zero_grad()  # figure: optimizer
    loss.backward()  # figure: backward
    optimizers[name].step()  # figure: optimizer
    return loss


turn = 0
while turn < 30:  # figure: loop
    name, other = names[turn % 2], names[(turn + 1) % 2]
    x = torch.randn(32, 10)  # figure: data
    loss = teach(name, other, x)  # figure: call
    print(turn, name, loss.item())
    turn += 1
