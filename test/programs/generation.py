"""Generates text: a call of `generate` makes a token by each call of the model."""

import torch
from torch import nn

torch.manual_seed(0)


class LanguageModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 32)
        self.head = nn.Linear(32, 50)

    def forward(self, idx):
        return self.head(self.embedding(idx))  # figure: forward

    @torch.no_grad()
    def generate(self, idx, max_new_tokens):
        for _ in range(max_new_tokens):
            logits = self(idx)[:, -1, :]  # figure: forward
            probs = torch.softmax(logits, dim=-1)
            idx = torch.cat((idx, torch.multinomial(probs, 1)), dim=1)
        return idx


model = LanguageModel()
for sample in range(10):  # figure: loop
    y = model.generate(torch.zeros((1, 1), dtype=torch.long), 12)  # figure: forward
    print(y[0].tolist())
