"""The reference Transformer: pre-norm blocks of RMSNorm, RoPE attention and SwiGLU; the output has its own matrix."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from .attention import Attention
from .point import Size
from .tags import tag


class RMSNorm(nn.Module):
    """x / √(mean(x²) + ε) · weight, computed in fp32 whatever the precision."""

    def __init__(self, width: int, epsilon: float = 1e-5) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        """Returns `x` normalised over its last dimension, in its own type."""
        wide = x.float()
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.epsilon) * self.weight).to(x.dtype)


class SwiGLU(nn.Module):
    """down(silu(gate(x)) · up(x)): three matrices of d_model × d_ff."""

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Returns [..., d_model]."""
        return self.down(functional.silu(self.gate(x)) * self.up(x))


class Block(nn.Module):
    """One layer."""

    def __init__(self, size: Size, context_length: int) -> None:
        super().__init__()
        self.attention_norm = RMSNorm(size.d_model)
        self.attention = Attention(size.d_model, size.heads, context_length)
        self.ffn_norm = RMSNorm(size.d_model)
        self.ffn = SwiGLU(size.d_model, size.d_ff)

    def forward(self, x: Tensor) -> Tensor:
        """Returns the residual stream after this layer."""
        with tag("attention_sublayer"):
            x = x + self.attention(self.attention_norm(x))
        with tag("ffn_sublayer"):
            return x + self.ffn(self.ffn_norm(x))


class Transformer(nn.Module):
    """A decoder-only language model."""

    def __init__(self, size: Size, vocabulary: int, context_length: int) -> None:
        super().__init__()
        self.token_embeddings = nn.Embedding(vocabulary, size.d_model)
        self.layers = nn.ModuleList(Block(size, context_length) for _ in range(size.layers))
        self.final_norm = RMSNorm(size.d_model)
        self.lm_head = nn.Linear(size.d_model, vocabulary, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """Returns logits [batch, position, vocabulary] of tokens [batch, position]."""
        with tag("token_embeddings"):
            x = self.token_embeddings(tokens)
        for number, layer in enumerate(self.layers):
            with tag(f"layer_{number}"):
                x = layer(x)
        with tag("final_norm"):
            x = self.final_norm(x)
        with tag("lm_head"):
            return self.lm_head(x)
