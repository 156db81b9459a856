"""Copies a command's standard error to ours, keeps its end, and removes the profiler's marks."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import threading
from typing import Any

from .own_thread import start_without_signals
from .tail import Tail

_MARK = re.compile(rb"USDT:\d{4}-\d\d-\d\d [\d:]+ \d+:\d+ \w+\.cpp:\d+\] [^\n]*\n")
"""A line that torch's profiler writes, possibly in the middle of another line."""
_BEGIN = b"USDT:"
_HOLD_SECONDS = 0.2
"""How long the possible beginning of a mark is held back."""
_LONGEST_MARK = 300


class MarkFilter:
    """Removes the marks of torch's profiler from a stream, in which they would split other lines."""

    def __init__(self) -> None:
        self._held = b""

    @property
    def holds(self) -> bool:
        """Whether the end of the data may be the beginning of a mark."""
        return bool(self._held)

    def feed(self, data: bytes) -> bytes:
        """Takes a piece of data; returns the part to show, including what was held back."""
        data = _MARK.sub(b"", self._held + data)
        begin = _begin_of_mark(data)
        self._held = data[begin:]
        return data[:begin]

    def rest(self) -> bytes:
        """Returns what was held back: it is no mark, or an incomplete one."""
        held, self._held = self._held, b""
        return held


def _begin_of_mark(data: bytes) -> int:
    """Returns where an unfinished mark at the end of the data begins; the data's length if there is none."""
    begin = data.rfind(_BEGIN)
    if begin >= 0 and b"\n" not in data[begin:] and len(data) - begin < _LONGEST_MARK:
        return begin
    for length in range(len(_BEGIN) - 1, 0, -1):
        if data.endswith(_BEGIN[:length]):
            return len(data) - length
    return len(data)


class ErrorCopy:
    """A command's standard error: a terminal if ours is one, else a pipe."""

    def __init__(self, tail: Tail) -> None:
        self._tail = tail
        self._thread: threading.Thread | None = None
        self._source = -1
        self.target: Any = subprocess.PIPE
        """The command's end of it."""
        if os.name == "posix" and sys.stderr.isatty():
            from .terminal import open_raw

            self._source, self.target = open_raw(sys.stderr.fileno())

    def start(self, child: subprocess.Popen[bytes]) -> None:
        """Starts copying in a separate thread, when the command runs."""
        if self._source >= 0:
            os.close(self.target)
        else:
            assert child.stderr is not None
            self._source = child.stderr.fileno()
        self._thread = threading.Thread(target=self._copy, daemon=True)
        start_without_signals(self._thread)

    def join(self, seconds: float) -> None:
        """Waits for the end of the stream; other processes that the command started may keep it open."""
        if self._thread is not None:
            self._thread.join(timeout=seconds)

    def _copy(self) -> None:
        marks = MarkFilter()
        while True:
            if os.name == "posix" and marks.holds and not select.select([self._source], [], [], _HOLD_SECONDS)[0]:
                self._show(marks.rest())
            try:
                data = os.read(self._source, 1 << 16)
            except OSError:
                data = b""  # Linux reports the end of a terminal as an error.
            if not data:
                self._show(marks.rest())
                return
            self._show(marks.feed(data))

    def _show(self, data: bytes) -> None:
        self._tail.feed(data)
        try:
            sys.stderr.buffer.write(data)
            sys.stderr.buffer.flush()
        except OSError:
            pass  # Nobody reads our output any more; the command must still be able to write.
