"""Keeps a signal that would end the process away from a trace that is being written."""

from __future__ import annotations

import os


class Uninterrupted:
    """Inside a `with` statement, signals wait for its end."""

    def __init__(self) -> None:
        self._depth = 0
        self._waiting: int | None = None

    def __enter__(self) -> None:
        """Begins."""
        self._depth += 1

    def __exit__(self, *_error: object) -> None:
        """Ends, and sends the signal that has waited."""
        self._depth -= 1
        if self._depth == 0 and self._waiting is not None:
            number, self._waiting = self._waiting, None
            os.kill(os.getpid(), number)

    def defers(self, number: int) -> bool:
        """Takes a signal, if it has to wait; it is sent again then."""
        if self._depth > 0:
            self._waiting = number
        return self._depth > 0
