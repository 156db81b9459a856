"""Causal self-attention with rotary positions, written out so that each part has a tag."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from .tags import tag


class Rope(nn.Module):
    """Rotates pairs of elements by angles that grow with the position."""

    def __init__(self, head_width: int, context_length: int, base: float = 10_000.0) -> None:
        super().__init__()
        frequencies = base ** (-torch.arange(0, head_width, 2) / head_width)
        angles = torch.outer(torch.arange(context_length), frequencies)
        self.cos: Tensor
        self.sin: Tensor
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Returns `x` [..., position, element], rotated, in its own type."""
        even, odd = x[..., 0::2], x[..., 1::2]
        cos, sin = self.cos[: x.shape[-2]], self.sin[: x.shape[-2]]
        rotated = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
        return rotated.flatten(-2).to(x.dtype)


class Attention(nn.Module):
    """Four projections of d_model × d_model, without biases."""

    def __init__(self, d_model: int, heads: int, context_length: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.rope = Rope(d_model // heads, context_length)

    def forward(self, x: Tensor) -> Tensor:
        """Returns what each position collects from earlier positions: [batch, position, d_model]."""
        with tag("attention projections"):
            query, key, value = (self._split(projection(x)) for projection in (self.query, self.key, self.value))
        with tag("rope encoding"):
            query, key = self.rope(query), self.rope(key)
        with tag("causal mask construction"):
            length = x.shape[-2]
            mask = torch.ones(length, length, dtype=torch.bool, device=x.device).tril()
        with tag("scaled_dot_product_attention"):
            mixed = scaled_dot_product_attention(query, key, value, mask)
        with tag("output projection"):
            return self.output(mixed.transpose(1, 2).flatten(-2))

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    """Returns softmax(QKᵀ/√d)·V over the positions that the mask lets through."""
    with tag("computing attention scores"):
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
    with tag("computing softmax"):
        weights = torch.softmax(scores, dim=-1)
    with tag("final matmul"):
        return weights.to(value.dtype) @ value
