"""What torch.compile is at."""

from __future__ import annotations

import sys
from typing import Callable

import torch


def _no() -> bool:
    return False


# Bound once: Dynamo knows this function and makes it a constant, so that a hook which asks it breaks no graph.
is_compiling: Callable[[], bool] = getattr(getattr(torch, "compiler", None), "is_compiling", _no)


def has_compiled() -> bool:
    """Tells whether Dynamo has compiled anything: it then compiles all of it anew when a global hook comes or goes."""
    # It may be in the midst of being imported.
    counters = getattr(sys.modules.get("torch._dynamo.utils"), "counters", {})
    return bool(counters.get("frames"))
