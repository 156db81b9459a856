"""timm's benchmark with --bench both: inference first, then training of another model."""

import timm
import torch
from torch import nn

torch.manual_seed(0)


def infer():
    model = timm.create_model("test_vit").eval()
    x = torch.randn(2, 3, 160, 160)
    with torch.no_grad():
        for _ in range(12):
            model(x)


def train():
    model = timm.create_model("test_vit", num_classes=10)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    for step in range(16):  # figure: loop
        x, y = torch.randn(2, 3, 160, 160), torch.randint(0, 10, (2,))  # figure: data loading
        optimizer.zero_grad()
        output = model(x)  # figure: forward
        loss = nn.functional.cross_entropy(output, y)  # figure: loss
        loss.backward()  # figure: backward
        optimizer.step()  # figure: optimizer
    print(f"loss {loss.item():.6f}")


infer()
train()
