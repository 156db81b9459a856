"""Federated averaging: in each round clients train copies of the model, each with an optimizer of its own."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
server = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
clients = [[(torch.randn(4, 6), torch.randint(0, 2, (4,))) for _ in range(2)] for _ in range(4)]


class Client:
    def __init__(self, model, data):
        self.model, self.data = copy.deepcopy(model), data
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)

    def fit(self):
        for x, y in self.data:  # figure: loop
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.model(x), y)  # figure: forward, loss
            loss.backward()  # figure: backward
            self.optimizer.step()  # figure: optimizer
        return self.model.state_dict(), loss.item()


for turn in range(6):
    results = [Client(server, data).fit() for data in clients]
    states, losses = zip(*results)
    mean = {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}
    server.load_state_dict(mean)
    print(turn, sum(losses))
