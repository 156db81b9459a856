"""L-BFGS, whose closure runs the model several times a step."""

import torch
from torch import nn

torch.manual_seed(0)
net, head = nn.LSTMCell(1, 8), nn.Linear(8, 1)
criterion = nn.MSELoss()
x = torch.randn(4, 6)
optimizer = torch.optim.LBFGS([*net.parameters(), *head.parameters()], lr=0.5, max_iter=3)


def predict(x):
    h = c = torch.zeros(4, 8)
    outputs = []
    for t in x.split(1, dim=1):
        h, c = net(t, (h, c))
        outputs.append(head(h))
    return torch.cat(outputs, dim=1)


for step in range(8):

    def closure():
        optimizer.zero_grad()
        out = predict(x)
        loss = criterion(out, x)
        print(loss.item())
        loss.backward()
        return loss

    optimizer.step(closure)
