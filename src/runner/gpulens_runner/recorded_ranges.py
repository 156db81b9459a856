"""The ranges of torch that are open in the present recording.

If a range begins under one profiler and ends under a later one, torch writes its end into memory that the first one has
freed. So a recording ends its open ranges before it stops.
"""

from __future__ import annotations

from typing import Any, Callable


class RecordedRanges:
    """Each open range of a recording, with what ends it. Any thread may end those of others."""

    def __init__(self) -> None:
        self.is_recording = False
        """Whether a profiler of ours starts, runs or is being stopped, in whatever thread."""
        self._open: dict[int, tuple[Any, Callable[[Any], object]]] = {}
        # The ranges themselves, so that no other object gets the identity of one.
        self._ended: dict[int, Any] = {}

    def opens(self, one: Any, end: Callable[[Any], object]) -> None:
        """A range has been opened; `end(one)` ends it."""
        self._ended.pop(id(one), None)
        self._open[id(one)] = (one, end)

    def closes(self, one: Any) -> bool:
        """A range is about to be closed; returns whether torch must be told: not if its recording has ended it."""
        if self._open.pop(id(one), None) is not None:
            return True
        return self._ended.pop(id(one), None) is None

    def end_all(self) -> None:
        """Ends the ranges that are open, innermost first: the recording is about to stop."""
        for key, (one, end) in reversed(list(self._open.copy().items())):
            # Before it is taken: its own thread, which may close it now, then finds one of the two.
            self._ended[key] = one
            if self._open.pop(key, None) is None:
                self._ended.pop(key, None)
                continue
            try:
                end(one)
            except Exception:
                pass  # The script replaced something of torch's; its ranges are its own.


recorded_ranges = RecordedRanges()
"""Those of this process, which has one recording of ours at a time."""


def close_range(fast: Any) -> None:
    """Closes a `_RecordFunctionFast`. Torch refuses that if its profiler began to record after the range was opened, or
    if another thread has closed it: then there is nothing to close."""
    try:
        fast.__exit__(None, None, None)
    except RuntimeError:
        pass
