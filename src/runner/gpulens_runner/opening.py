"""The opening of a script: what it does from its first range or module call on, until steps are recorded."""

from __future__ import annotations

import threading
import time

from .context import Context
from .recorder import Recording


class Opening:
    """A recording, and the thread that began it: only that one can stop it, unless it is one of all threads."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._recording: Recording | None = None
        self._thread: int | None = None
        self._is_everywhere = False

    @property
    def exists(self) -> bool:
        """Whether there is one, whether it still runs or not."""
        return self._recording is not None

    @property
    def is_running(self) -> bool:
        """Whether its profiler runs, in any thread."""
        return self._thread is not None

    @property
    def is_running_here(self) -> bool:
        """Whether its profiler runs, and this thread can stop it."""
        return self.is_running and (self._is_everywhere or self._thread == threading.get_ident())

    @property
    def is_full(self) -> bool:
        """Whether it has taken as long as it may."""
        recording = self._recording
        return recording is not None and time.monotonic() - recording.started > self._context.config.opening_seconds

    def begin(self, everywhere: bool) -> None:
        """Begins to record in this thread, or in all."""
        self._recording = Recording(self._context.config, "opening", everywhere=everywhere)
        self._is_everywhere = everywhere
        self._thread = threading.get_ident()
        self._context.lines.begin()
        self._context.tell("recording", what="opening")

    def stop(self) -> None:
        """Stops recording if this thread does that, and keeps what was recorded."""
        if self._recording is not None and self.is_running_here:
            self._thread = None
            self._context.lines.end()
            self._recording.stop()

    def forget(self) -> None:
        """Drops what was recorded."""
        self._recording = None

    def take(self) -> Recording | None:
        """Hands over what was recorded; None if there is nothing."""
        recording, self._recording = self._recording, None
        return recording
