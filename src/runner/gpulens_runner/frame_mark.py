"""A mark on one call of a Python function, which tells when the function has returned."""

from __future__ import annotations

import itertools
import sys
from types import FrameType
from typing import Any, Callable

MAY_MARK = sys.version_info >= (3, 10)
"""Before Python 3.10 a frame with a mark tells a stale line."""
_serials = itertools.count(1)


class FrameMark:
    """Hangs on a frame as its `f_trace`, and goes with it: tells one call of a function from the next.

    Nothing calls it while nobody traces. When Python drops it, the frame's function has returned.
    """

    __slots__ = ("serial", "steps", "line_ended", "call_ended")

    def __init__(self, serial: int) -> None:
        self.serial = serial
        self.steps = 0
        self.line_ended: Callable[[int], None] | None = None
        self.call_ended: Callable[[], None] | None = None

    def __call__(self, _frame: FrameType, _event: str, _argument: Any) -> None:
        """Does nothing for a debugger that begins to trace."""

    def __del__(self) -> None:
        """Tells that the frame's function has returned; who is told must not raise."""
        # The lines of a call close before what it was a step of ends.
        if self.line_ended is not None:
            self.line_ended(self.serial)
        if self.call_ended is not None:
            self.call_ended()


def mark_of(frame: FrameType) -> FrameMark | None:
    """Returns the mark of a frame, a new one where it has none; None where a debugger traces it."""
    mark = frame.f_trace
    if mark is None and sys.gettrace() is None:
        mark = frame.f_trace = FrameMark(next(_serials))
    return mark if isinstance(mark, FrameMark) else None


def unmark_line(frame: FrameType) -> None:
    """Takes away what was noted of a frame for the sake of lines."""
    mark = frame.f_trace
    if not isinstance(mark, FrameMark):
        return
    mark.line_ended, mark.steps = None, 0
    if mark.call_ended is None:
        frame.f_trace = None
