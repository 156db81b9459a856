"""A model in the shape of nanoGPT's: each layer's forward calls modules and functions of torch."""

from __future__ import annotations

import dataclasses

import torch
from torch import nn
from torch.nn import functional as F


@dataclasses.dataclass(frozen=True)
class Shape:
    """What nanoGPT's README trains on a CPU."""

    vocabulary: int = 65
    context: int = 64
    layers: int = 4
    heads: int = 4
    width: int = 128


class LayerNorm(nn.Module):
    """Normalises without a bias."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Returns what the module computes."""
        return F.layer_norm(x, self.weight.shape, self.weight, None, 1e-5)


class Attention(nn.Module):
    """Causal attention of several heads."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.qkv = nn.Linear(shape.width, 3 * shape.width, bias=False)
        self.out = nn.Linear(shape.width, shape.width, bias=False)
        self.heads = shape.heads

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Returns what the module computes."""
        batch, length, width = x.size()
        q, k, v = self.qkv(x).split(width, dim=2)
        k = k.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        q = q.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        v = v.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        y = y.transpose(1, 2).contiguous().view(batch, length, width)
        return self.out(y)


class MLP(nn.Module):
    """Two Linear modules with a GELU between."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.up = nn.Linear(shape.width, 4 * shape.width, bias=False)
        self.gelu = nn.GELU()
        self.down = nn.Linear(4 * shape.width, shape.width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Returns what the module computes."""
        x = self.up(x)
        x = self.gelu(x)
        return self.down(x)


class Block(nn.Module):
    """A layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.norm_1 = LayerNorm(shape.width)
        self.attention = Attention(shape)
        self.norm_2 = LayerNorm(shape.width)
        self.mlp = MLP(shape)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Returns what the module computes."""
        x = x + self.attention(self.norm_1(x))
        x = x + self.mlp(self.norm_2(x))
        return x


class GPT(nn.Module):
    """The whole model, which returns its loss, too."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.tokens = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.context, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = LayerNorm(shape.width)
        self.head = nn.Linear(shape.width, shape.vocabulary, bias=False)

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns what the module computes."""
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.size(1)))
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
        return logits, loss
