"""Whether torch.compile is reading the code that runs."""

from __future__ import annotations

from typing import Callable

import torch


def _no() -> bool:
    return False


# Bound once: Dynamo knows this function and makes it a constant, so that a hook which asks it breaks no graph.
is_compiling: Callable[[], bool] = getattr(getattr(torch, "compiler", None), "is_compiling", _no)
