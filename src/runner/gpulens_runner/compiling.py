"""The state of torch.compile."""

from __future__ import annotations

import sys
from typing import Callable

import torch


def _no() -> bool:
    return False


# Bound once: Dynamo knows this function and treats it as a constant, so a hook that calls it breaks no graph.
is_compiling: Callable[[], bool] = getattr(getattr(torch, "compiler", None), "is_compiling", _no)


def has_compiled() -> bool:
    """Returns whether Dynamo has compiled anything: it then recompiles everything when a global hook is added or
    removed."""
    # It may be partly imported.
    counters = getattr(sys.modules.get("torch._dynamo.utils"), "counters", {})
    return bool(counters.get("frames"))
