"""The end of a command's output, kept for the message that says how it failed."""

from __future__ import annotations

import collections
import threading

_LINES = 80
"""A launcher of several ranks prints much after their error. All lines are one message, of a MiB at most."""
_LINE_LENGTH = 2000


class Tail:
    """The last lines of a stream of output, without terminal control sequences."""

    def __init__(self) -> None:
        self._lines: collections.deque[str] = collections.deque(maxlen=_LINES)
        self._open = b""
        self._lock = threading.Lock()

    def feed(self, data: bytes) -> None:
        """Takes a piece of output; streams may interleave."""
        with self._lock:
            *whole, self._open = (self._open + data).split(b"\n")
            self._open = self._open[-_LINE_LENGTH:]
            for line in whole:
                self._add(line)

    def lines(self) -> list[str]:
        """Returns the last lines, including the unfinished one."""
        with self._lock:
            if self._open:
                self._add(self._open)
                self._open = b""
            return list(self._lines)

    def _add(self, line: bytes) -> None:
        # A progress bar rewrites its line: the text after the last carriage return is what the user saw.
        text = line.rstrip(b"\r").rsplit(b"\r", 1)[-1][-_LINE_LENGTH:].decode("utf-8", "replace")
        # Marks of torch's profiler are not output of the command.
        if not text.startswith("USDT:"):
            self._lines.append(_without_controls(text))


def _without_controls(text: str) -> str:
    parts = text.split("\x1b[")
    cleaned = parts[0] + "".join(part.lstrip("0123456789;?")[1:] for part in parts[1:])
    return "".join(letter for letter in cleaned if letter == "\t" or letter >= " ")
