"""As nanoGPT's train.py: an endless loop that evaluates first, with gradient accumulation."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1337)
block_size, vocab_size = 16, 50
data = torch.randint(0, vocab_size, (2000,))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, 32)
        self.layers = nn.ModuleList(nn.Linear(32, 32) for _ in range(2))
        self.head = nn.Linear(32, vocab_size)

    def forward(self, idx, targets):
        x = self.embedding(idx)
        for layer in self.layers:
            x = torch.relu(layer(x))  # figure: forward
        logits = self.head(x)  # figure: forward
        return logits, F.cross_entropy(logits.view(-1, vocab_size), targets.view(-1))  # figure: loss


def get_batch():
    ix = torch.randint(len(data) - block_size, (8,))
    x = torch.stack([data[i : i + block_size] for i in ix])
    y = torch.stack([data[i + 1 : i + 1 + block_size] for i in ix])
    return x, y


@torch.no_grad()
def estimate_loss():
    model.eval()
    losses = torch.zeros(20)
    for k in range(20):
        _, loss = model(*get_batch())
        losses[k] = loss.item()
    model.train()
    return losses.mean()


model = GPT()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
X, Y = get_batch()
iter_num = 0
while True:  # figure: loop
    if iter_num % 10 == 0:
        print(f"step {iter_num}: val loss {estimate_loss():.6f}")
    for micro_step in range(2):
        logits, loss = model(X, Y)  # figure: forward
        X, Y = get_batch()  # figure: data loading
        (loss / 2).backward()  # figure: backward
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()  # figure: optimizer
    optimizer.zero_grad(set_to_none=True)
    iter_num += 1
    if iter_num > 24:
        break
