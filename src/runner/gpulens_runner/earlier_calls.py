"""Calls of modules that began before the hooks were installed, which may happen in another thread. Nothing reports
them, but they are on the stack."""

from __future__ import annotations

import threading
import time
from types import FrameType

from torch.nn import Module

_CALL = getattr(getattr(Module, "_call_impl", None), "__code__", None)
"""None if a library has replaced the function by one that is not of Python: then no call is found on the stack."""


class EarlierCalls:
    """Tells whether a thread is still inside a call from before the hooks."""

    def __init__(self, longest_seconds: float) -> None:
        """An earlier call that takes longer is no call of a model, but of a loop around it."""
        self._longest_seconds = longest_seconds
        self.begin()

    def begin(self) -> None:
        """From now on calls are reported; each thread may be inside one that is not."""
        self._began = time.monotonic()
        self._threads = threading.local()

    def are_around(self, frame: FrameType | None, reported: int) -> bool:
        """Returns whether `frame` is inside an earlier call. `reported` is how many of the innermost calls on its stack
        were reported. A thread that was once outside of earlier calls is not searched again."""
        if hasattr(self._threads, "is_outside"):
            return False
        is_inside = _calls_around(frame) > reported and time.monotonic() - self._began <= self._longest_seconds
        if not is_inside:
            self._threads.is_outside = True
        return is_inside


def have_ended(frame: FrameType | None, reported: int) -> bool:
    """Returns whether calls that were reported have ended without a report: `frame` is in a call of a module, before
    which `reported` others had begun."""
    return _CALL is not None and _calls_around(frame) <= reported


def _calls_around(frame: FrameType | None) -> int:
    """Returns how many calls of modules a frame is in."""
    count = 0
    while frame is not None:
        count += frame.f_code is _CALL
        frame = frame.f_back
    return count
