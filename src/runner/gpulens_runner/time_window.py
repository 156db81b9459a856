"""A recorded window of time, in place of steps."""

from __future__ import annotations

from .context import Context
from .output import save
from .recorder import Recording


class TimeWindow:
    """The recording of the window while it is open."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._recording: Recording | None = None
        self.was_written = False
        """Whether a window has ended, with torch work in it."""

    @property
    def is_open(self) -> bool:
        """Whether it is recorded now."""
        return self._recording is not None

    def open(self) -> None:
        """Begins to record."""
        self._recording = Recording(self._context.config, "window", everywhere=True)
        self._context.lines.begin()
        self._context.tell("recording", what="window")

    def close(self, why: str) -> bool:
        """Writes the recording; returns whether it did: a process without torch work leaves nothing."""
        recording, self._recording = self._recording, None
        if recording is None:
            return False
        self._context.lines.end()
        recording.stop()
        if recording.results is not None and not recording.has_operators():
            return False
        self.was_written = True
        save(self._context, recording, why)
        return True
