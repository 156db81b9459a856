"""Calls of modules that began before the hooks were installed, which may happen in another thread. Nothing reports
them, but they are on the stack."""

from __future__ import annotations

import threading
from types import FrameType

from torch.nn import Module

_CALL = getattr(getattr(Module, "_call_impl", None), "__code__", None)
"""None if a library has replaced the function by one that is not of Python: then no earlier call is found."""


class EarlierCalls:
    """Knows of each thread whether its earlier calls have ended."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """From now on calls are reported; each thread may be inside one that is not."""
        self._over = threading.local()

    def are_around(self, frame: FrameType | None, reported: int) -> bool:
        """Returns whether `frame` is inside an earlier call, where the calls around it that were reported are the
        innermost `reported`. A thread that was once outside of all of them is not searched again."""
        if hasattr(self._over, "is_over"):
            return False
        while frame is not None:
            if frame.f_code is _CALL:
                if reported == 0:
                    return True
                reported -= 1
            frame = frame.f_back
        self._over.is_over = True
        return False
