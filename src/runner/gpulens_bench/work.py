"""What is measured: a step, and its properties."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable

Mark = Callable[[str], None]
"""Reports that a phase of the step has ended: `mark("forward")`."""


class Unsupported(Exception):
    """This machine or this torch cannot measure the point."""


class NoStep(Exception):
    """The user's callable returned nothing that can be run."""


class CommandFailed(Exception):
    """The command ended with an exit status other than 0."""


@dataclasses.dataclass
class Work:
    """A step, and what it processes."""

    run: Callable[[Mark], Any]
    """Runs one step; returns a loss, other numbers to check for NaN, or None."""
    parameters: int | None = None
    """All parameters, each counted once."""
    parameters_without_embedding: int | None = None
    """Without the table of token embeddings, as some reports count."""
    samples: int | None = None
    tokens: int | None = None
    model: Any = None
    """The module that the step runs, if known."""
    finish: Callable[[], None] | None = None
    """Called after each step, once its time has been taken: ends it, but is not part of it."""


def count_parameters(model: Any) -> tuple[int, int]:
    """Returns the number of a module's parameters: all, and without the weights of its `nn.Embedding` modules."""
    from torch import nn

    tables = {
        id(module.weight): module.weight.numel() for module in model.modules() if isinstance(module, nn.Embedding)
    }
    every = sum(parameter.numel() for parameter in model.parameters())
    return every, every - sum(tables.values())
