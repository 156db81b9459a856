"""accelerate: a loop of the person's own, with gradient accumulation."""

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
model = nn.Linear(8, 4)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
loader = DataLoader(TensorDataset(torch.randn(160, 8), torch.randint(0, 4, (160,))), batch_size=4)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for x, y in loader:  # figure: loop, data loading
    with accelerator.accumulate(model):
        logits = model(x)  # figure: forward
        loss = nn.functional.cross_entropy(logits, y)  # figure: loss
        accelerator.backward(loss)  # figure: backward
        optimizer.step()  # figure: optimizer
        optimizer.zero_grad()
print(f"loss {loss.item():.6f}")
