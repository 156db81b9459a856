"""Ends a script that must end with its recording."""

from __future__ import annotations

import threading
import time
from typing import Callable

from .context import Context


class ScriptEnd:
    """Ends the script, at once or after waiting for training."""

    def __init__(self, context: Context, flush: Callable[[str], None]) -> None:
        self._context = context
        self._flush = flush
        self._at: float | None = None

    @property
    def is_planned(self) -> bool:
        """Whether the script waits for training, and ends if none comes."""
        return self._at is not None

    def ask(self, may_train: bool) -> None:
        """The recording is complete; if training may follow, it is worth waiting for."""
        wait = self._context.config.stop_wait_seconds
        if wait <= 0 or not may_train:
            self._end()
        elif self._at is None:
            self._at = time.monotonic() + wait
            self._context.tell("waiting", seconds=wait)

    def forget(self) -> None:
        """Training has begun: the script continues."""
        self._at = None

    def end_when_due(self) -> None:
        """Ends the script if it has waited long enough for training."""
        if self._at is not None and time.monotonic() >= self._at:
            self._end()

    def _end(self) -> None:
        """Ends the script as if it had reached its end; if called from another thread, the supervisor ends it."""
        self._flush("complete")
        if threading.current_thread() is threading.main_thread():
            raise SystemExit(0)
