"""The open entries of each thread."""

from __future__ import annotations

import os
import threading
from typing import Generic, TypeVar

Entry = TypeVar("Entry")


class ThreadStack(Generic[Entry]):
    """A stack for each thread. Those of a forked child are empty, because its parent's entries are not its own."""

    def __init__(self) -> None:
        self.clear()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.clear)

    def clear(self) -> None:
        """Empties the stacks of all threads."""
        self._local = threading.local()

    def get(self) -> list[Entry]:
        """Returns the stack of the calling thread."""
        try:
            stack: list[Entry] = self._local.stack
        except AttributeError:
            stack = self._local.stack = []
        return stack
