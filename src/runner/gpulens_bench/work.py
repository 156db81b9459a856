"""What is measured: a step, and what it is a step of."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable

Mark = Callable[[str], None]
"""Tells that a phase of the step has ended: `mark("forward")`."""


class Unsupported(Exception):
    """This machine or this torch cannot measure the point."""


class NoStep(Exception):
    """The user's callable gave nothing that can be run."""


class CommandFailed(Exception):
    """The command ended with another status than 0."""


@dataclasses.dataclass
class Work:
    """A step with what one of it processes."""

    run: Callable[[Mark], Any]
    """Runs one step; returns a loss, other numbers to be looked at for NaN, or None."""
    parameters: int | None = None
    """All parameters, each counted once."""
    parameters_without_embedding: int | None = None
    """Without the table of token embeddings: what some reports count."""
    samples: int | None = None
    tokens: int | None = None
    model: Any = None
    """The module that the step runs, where it is known."""
    finish: Callable[[], None] | None = None
    """Called behind each step, when its time has been taken: what ends it and is no part of it."""


def count_parameters(model: Any) -> tuple[int, int]:
    """Returns how many parameters a module has: all, and without the weights of its `nn.Embedding` modules."""
    from torch import nn

    tables = {
        id(module.weight): module.weight.numel() for module in model.modules() if isinstance(module, nn.Embedding)
    }
    every = sum(parameter.numel() for parameter in model.parameters())
    return every, every - sum(tables.values())
