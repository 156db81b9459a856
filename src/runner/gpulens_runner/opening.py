"""A recording of all that a script does until steps are recorded: of its opening, from the first range or module call
on, or of the GPU graphs that it captures."""

from __future__ import annotations

import threading
import time

from .context import Context
from .recorder import Recording


class Opening:
    """A recording, and the thread that began it: only that thread can stop it, unless it records all threads."""

    def __init__(self, context: Context, kind: str) -> None:
        """`kind` is that of the recording: `opening` or `capture`."""
        self._context = context
        self._kind = kind
        self._recording: Recording | None = None
        self._thread: int | None = None
        # Reentrant: the script's signal handlers run between any two instructions.
        self._claiming = threading.RLock()
        self._is_everywhere = False
        self._is_begun = False

    @property
    def exists(self) -> bool:
        """Whether there is a recording, running or not."""
        return self._recording is not None

    @property
    def is_running(self) -> bool:
        """Whether its profiler runs, in any thread."""
        return self._thread is not None

    @property
    def is_begun(self) -> bool:
        """Whether its profiler starts, runs or is being stopped, in any thread: no other may start."""
        return self._is_begun

    @property
    def is_running_here(self) -> bool:
        """Whether its profiler runs, and this thread can stop it."""
        return self.is_running and self.exists and (self._is_everywhere or self._thread == threading.get_ident())

    @property
    def is_full(self) -> bool:
        """Whether it has reached its time limit."""
        recording = self._recording
        return recording is not None and time.monotonic() - recording.started > self._context.config.opening_seconds

    def begin(self, everywhere: bool) -> None:
        """Begins recording in this thread, or in all threads, unless another thread was first."""
        # A process's first start takes a second, in which other threads call modules, too.
        thread = threading.get_ident()
        with self._claiming:
            if self._recording is not None or self._is_begun:
                return
            self._is_begun, self._is_everywhere = True, everywhere
        recording = None
        try:
            recording = Recording(self._context.config, self._kind, everywhere=everywhere)
            self._context.lines.begin()
        except BaseException:
            self._is_begun = False
            if recording is not None:
                recording.stop()
            raise
        # Last: from here on other threads may open ranges in it, and stop it with its lines.
        self._thread = thread
        self._recording = recording
        self._context.tell("recording", what=self._kind)

    def stop(self) -> None:
        """Stops the recording if this thread can, and keeps it."""
        # Another thread that stops it, too, waits here until it is stopped.
        with self._claiming:
            recording = self._recording
            # The thread is asked for once more, last: a signal handler of the script may have stopped it meanwhile.
            if recording is None or not self.is_running_here or self._thread is None:
                return
            self._thread = None
            try:
                self._context.lines.end()
                recording.stop()
            finally:
                self._is_begun = False

    def forget(self) -> None:
        """Drops the recording."""
        self._recording = None

    def take(self) -> Recording | None:
        """Returns the recording, and gives it up; None if there is none."""
        recording, self._recording = self._recording, None
        return recording
