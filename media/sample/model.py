"""A small Transformer language model whose parts are tagged, so that a profiler can name them."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.profiler import record_function


class RMSNorm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * self.weight


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        with record_function("attention projections"):
            q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        with record_function("scaled_dot_product_attention"):
            mixed = scaled_dot_product_attention(q, k, v)
        with record_function("output projection"):
            return self.out(mixed.transpose(1, 2).reshape(batch, length, width))


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    length = q.shape[-2]
    with record_function("computing attention scores"):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        mask = torch.ones(length, length, dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(mask, float("-inf"))
    with record_function("computing softmax"):
        weights = torch.softmax(scores, dim=-1)
    with record_function("final matmul"):
        return weights @ v


class FeedForward(nn.Module):
    """SwiGLU: a gate, a value, and the way back."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, 4 * width, bias=False)
        self.up = nn.Linear(width, 4 * width, bias=False)
        self.down = nn.Linear(4 * width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention_norm = RMSNorm(width)
        self.attention = Attention(width, heads)
        self.ffn_norm = RMSNorm(width)
        self.ffn = FeedForward(width)

    def forward(self, x: Tensor) -> Tensor:
        with record_function("attention_sublayer"):
            x = x + self.attention(self.attention_norm(x))
        with record_function("ffn_sublayer"):
            return x + self.ffn(self.ffn_norm(x))


class Transformer(nn.Module):
    def __init__(self, vocabulary: int = 1000, width: int = 128, heads: int = 4, layers: int = 4) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = RMSNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        with record_function("token_embeddings"):
            x = self.embed(tokens)
        for i, block in enumerate(self.blocks):
            with record_function(f"layer_{i}"):
                x = block(x)
        with record_function("lm_head"):
            return self.head(self.norm(x))
