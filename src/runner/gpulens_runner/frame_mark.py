"""A mark on one call of a Python function, which reports when the function has returned."""

from __future__ import annotations

import itertools
import sys
from types import FrameType
from typing import Any, Callable

MAY_MARK = sys.version_info >= (3, 10)
"""Before Python 3.10 a marked frame has a stale line number."""
_serials = itertools.count(1)


class FrameMark:
    """Attached to a frame as its `f_trace`, and freed with it: distinguishes one call of a function from the next.

    Nothing calls it unless tracing is on. When Python frees it, the frame's function has returned.
    """

    __slots__ = ("serial", "steps", "line_ended", "call_ended")

    def __init__(self, serial: int) -> None:
        self.serial = serial
        self.steps = 0
        self.line_ended: Callable[[int], None] | None = None
        self.call_ended: Callable[[], None] | None = None

    def __call__(self, _frame: FrameType, _event: str, _argument: Any) -> None:
        """Does nothing for a debugger that starts to trace."""

    def __del__(self) -> None:
        """Reports that the frame's function has returned; the callbacks must not raise."""
        # The lines of a call close before the step that it belongs to ends.
        if self.line_ended is not None:
            self.line_ended(self.serial)
        if self.call_ended is not None:
            self.call_ended()


def mark_of(frame: FrameType) -> FrameMark | None:
    """Returns the mark of a frame, a new one if it has none; None if a debugger traces the frame."""
    mark = frame.f_trace
    if mark is None and sys.gettrace() is None:
        mark = frame.f_trace = FrameMark(next(_serials))
    return mark if isinstance(mark, FrameMark) else None


def unmark_line(frame: FrameType) -> None:
    """Removes what was stored on a frame for lines."""
    mark = frame.f_trace
    if not isinstance(mark, FrameMark):
        return
    mark.line_ended, mark.steps = None, 0
    if mark.call_ended is None:
        frame.f_trace = None
