"""Messages of processes on other hosts: each host has its own file.

A network file system appends correctly for one host only: simultaneous lines of two hosts may overwrite each other.
"""

from __future__ import annotations

import glob
import os
import time

from .host import host_id

_EACH_SECONDS = 0.5
_ANY_HOST = ".????????????????"


def events_file(events: str, host: str) -> str:
    """Returns the file for messages of this process, in a run that was started on `host`; "" means this host."""
    own = host_id()
    return events if host in ("", own) else f"{events}.{own}"


class FarEvents:
    """Copies messages of other hosts into the run's own file, to which only the host that started the run appends."""

    def __init__(self, events: str) -> None:
        self._events = events
        self._positions: dict[str, int] = {}
        self._looked_at = 0.0

    def relay(self, at_once: bool = False) -> None:
        """Appends the complete lines that have arrived since; unless `at_once`, checks for them only now and then."""
        now = time.monotonic()
        if now - self._looked_at < _EACH_SECONDS and not at_once:
            return
        self._looked_at = now
        for path in sorted(glob.glob(glob.escape(self._events) + _ANY_HOST)):
            try:
                self._relay(path)
            except OSError:
                pass  # A share that is unavailable for a while is read again later.

    def _relay(self, path: str) -> None:
        position = self._positions.get(path, 0)
        with open(path, "rb") as file:
            file.seek(position)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        if not whole:
            return
        descriptor = os.open(self._events, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, whole)
        finally:
            os.close(descriptor)
        self._positions[path] = position + len(whole)
