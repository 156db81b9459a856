"""An optimizer for each parameter that steps inside of backward, as torchtune does to save memory."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4))
optimizers = {p: torch.optim.AdamW([p], lr=1e-3, foreach=False) for p in model.parameters()}


def step_now(parameter):
    optimizers[parameter].step()  # figure: optimizer
    optimizers[parameter].zero_grad()


for parameter in model.parameters():
    parameter.register_post_accumulate_grad_hook(step_now)

for step in range(20):  # figure: loop
    x, y = torch.randn(8, 16), torch.randint(0, 4, (8,))  # figure: data
    loss = nn.functional.cross_entropy(model(x), y)  # figure: forward, loss
    loss.backward()  # figure: backward
    print(step, loss.item())
