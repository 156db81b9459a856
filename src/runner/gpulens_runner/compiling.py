"""The state of torch.compile."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
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


@contextlib.contextmanager
def while_nothing_compiles() -> Iterator[bool]:
    """Holds off compilations in other threads: hooks that are added during one would fail it. Yields False, and holds
    nothing off, if one is going on."""
    lock = getattr(sys.modules.get("torch._dynamo.convert_frame"), "compile_lock", None)
    if lock is None:
        yield not has_compiled()
    elif lock.acquire(blocking=False):
        try:
            yield True
        finally:
            lock.release()
    else:
        yield False
