"""What is asked of a process while it runs: to record a window of time, where it has taken no step.

It is asked in a file that all processes of the run look at, JSON lines with `v` and `request`, which works on every
system and across the nodes of a job. The writer is `src/launch/run-control.ts`.
"""

from __future__ import annotations

import json
import os
import threading
import time

from .config import Config
from .events import VERSION
from .session import Session
from .window import open_after

_POLL_SECONDS = 0.5


class Control:
    """Looks at the file until it is of no more use, in a thread of its own."""

    def __init__(self, config: Config, session: Session) -> None:
        self._config = config
        self._session = session

    def start(self) -> None:
        """Begins to look. What was asked before this process began is none of its business.

        A forked child has no threads of its parent's, and begins anew.
        """
        config = self._config
        if config.control and config.profiler == "pytorch" and config.step != "window":
            threading.Thread(target=self._look, args=(self._size(),), daemon=True).start()

    def _look(self, seen: int) -> None:
        while self._session.may_open_window:
            time.sleep(_POLL_SECONDS)
            if self._size() > seen and self._is_asked(seen):
                open_after(self._session, 0.0, self._config.window_seconds)
                return

    def _is_asked(self, seen: int) -> bool:
        try:
            with open(self._config.control, "rb") as file:
                file.seek(seen)
                return any(_asks_for_window(line) for line in file)
        except OSError:
            return False  # It is looked at again.

    def _size(self) -> int:
        try:
            return os.stat(self._config.control).st_size
        except OSError:
            return 0


def _asks_for_window(line: bytes) -> bool:
    try:
        request = json.loads(line)
    except ValueError:
        return False  # The rest of it is still being written.
    return isinstance(request, dict) and request.get("v") == VERSION and request.get("request") == "window"
